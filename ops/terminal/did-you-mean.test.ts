import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { verbs } from '../verbs.js';
import { actionsIn, didYouMean } from './did-you-mean.js';

const test = suite('did you mean');

const names = ['start', 'store', 'stores', 'stuck', 'rebuild'];

test('a name with one or two wrong letters is suggested, the nearest first', () => {
  assert.equal(
    ['starts', 'rebuilt', 'sores', 'Start'].map((typed) => didYouMean(typed, names)),
    [' Did you mean start?', ' Did you mean rebuild?', ' Did you mean stores?', ' Did you mean start?'],
  );
});

test('what is near no name suggests none', () => {
  assert.equal(
    ['bake', 'start', '', 'x'.repeat(100_000)].map((typed) => didYouMean(typed, names)),
    ['', '', '', ''],
  );
});

test('the actions of a verb are those of its help', async () => {
  const load = (name: string) => verbs.find((one) => one.name === name)?.load();
  assert.equal(actionsIn('stuck', (await load('stuck'))?.help ?? ''), ['list', 'show', 'retry', 'skip']);
  assert.ok(actionsIn('perspectives', (await load('perspectives'))?.help ?? '').includes('rebuild'));
});
