import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { verbs } from '../verbs.js';
import { wrappedHelp } from './wrapped-help.js';

const test = suite('wrapped help');

const help = `svc bake LOAF [--hot]

Bakes a loaf, and waits until it is brown on
all sides. Eat it soon.

  --hot       serves it while
              it is still hot
  --json      prints JSON

  svc bake rye --hot`;

test('a help that fits is shown as it is', () => {
  assert.is(wrappedHelp(help, 80), help);
});

test('sentences are filled again, and an option keeps its column', () => {
  assert.is(
    wrappedHelp(help, 36),
    `svc bake LOAF [--hot]

Bakes a loaf, and waits until it is
brown on all sides. Eat it soon.

  --hot       serves it while it is
              still hot
  --json      prints JSON

  svc bake rye --hot`,
  );
});

test('the help of every verb fits into 60 columns, but for words that are longer', async () => {
  for (const { name, load } of verbs) {
    const lines = wrappedHelp((await load()).help.trim(), 60).split('\n');
    const long = lines.filter((line) => line.length > 60 && /\S\s+\S/.test(line.trim().slice(0, 36)));
    assert.equal(long, [], name);
  }
});

test('no word of a help is lost', async () => {
  for (const { name, load } of verbs) {
    const text = (await load()).help.trim();
    const words = (of: string): string => of.replaceAll(/\s+/g, ' ');
    assert.is(words(wrappedHelp(text, 60)), words(text), name);
  }
});
