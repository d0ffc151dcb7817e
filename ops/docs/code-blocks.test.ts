import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { blocksOf, commandsOf, treatmentOf, matcherOf, wantsExample } from './code-blocks.js';

const test = suite('blocks of a page');

const fence = '```';

const one = (text: string) => {
  const [block] = blocksOf('a.md', text);
  assert.ok(block);
  return block;
};

test('a block has its language, its line and its text', () => {
  const block = one(`# Title\n\n${fence}ts\nconst a = 1;\n${fence}\n`);
  assert.equal(block, { page: 'a.md', line: 3, language: 'ts', isMarked: false, text: 'const a = 1;\n' });
});

test('hidden lines in front of a block belong to it', () => {
  const block = one(`<!-- before\ndeclare const b: number;\n-->\n\n${fence}ts\nconst a = b;\n${fence}\n`);
  assert.is(block.text, 'declare const b: number;\nconst a = b;\n');
});

test('a block is checked, run, marked or data, and one of an unknown language is unhandled', () => {
  const treatments = ['ts', 'sh', 'console', 'ts no-check', 'sh no-run', 'json', '', 'js'].map((info) =>
    treatmentOf(one(`${fence}${info}\n${fence}\n`)),
  );
  assert.equal(treatments, ['checked', 'run', 'run', 'marked', 'marked', 'data', 'unhandled', 'unhandled']);
});

test('each line of sh is a command, unless it continues on the next', () => {
  const block = one(`${fence}sh\n# first\nsvc a \\\n  --b\nsvc c\n${fence}\n`);
  assert.equal(
    commandsOf(block).map(({ command }) => command),
    ['svc a    --b', 'svc c'],
  );
});

test('console has commands with their output, and a command may hold several lines of JSON', () => {
  const block = one(`${fence}console\n$ curl -d '{\n "a": 1 }'\n{"b":2}\n$ svc c\n${fence}\n`);
  assert.equal(commandsOf(block), [
    { command: `curl -d '{\n "a": 1 }'`, output: '{"b":2}\n' },
    { command: 'svc c', output: '' },
  ]);
});

test('output matches whatever its ids and numbers are, and … is anything', () => {
  const shown = matcherOf('{"id":"01a1dd1f-bbf7-75da-b05e-4419c5c925e3",\n "n":3,…}\n');
  assert.ok(shown.test('{"id":"018f0000-0000-7000-8000-000000000001","n":17,"more":{}}\n'));
  assert.not(shown.test('{"id":"018f0000-0000-7000-8000-000000000001","m":17,"more":{}}\n'));
});

test('a page asks for the example by a comment', () => {
  assert.equal([wantsExample('a\n<!-- example: orders -->\nb'), wantsExample('orders')], [true, false]);
});
