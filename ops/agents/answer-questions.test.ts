import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { fitted } from './answer-questions.js';
import { argumentsIn, type Found } from './operator-tool.js';
import { operatorTools } from './operator-tools.js';

const test = suite('questions of agents about a store');

const rowsOf = (count: number, characters: number) =>
  Array.from({ length: count }, () => 'x'.repeat(characters));

test('an answer has at most 200 rows, and says that there are more', () => {
  const answer = fitted({ rows: rowsOf(201, 1) });
  assert.ok(answer.status === 'done');
  assert.is((answer.result as { rows: readonly unknown[] }).rows.length, 200);
  assert.match(answer.note ?? '', /^More rows/);
  assert.equal(fitted({ rows: rowsOf(200, 1) }), { status: 'done', result: { rows: rowsOf(200, 1) } });
});

test('an answer has at most 64 KiB of whole rows', () => {
  const text = JSON.stringify(fitted({ rows: rowsOf(200, 1_000) }));
  assert.ok(text.length > 60_000 && text.length < 66_000, String(text.length));
  assert.is(JSON.stringify(fitted({ rows: rowsOf(1, 70_000) })).length < 200, true);
});

test('what does not fit is read on with next, and one row that is too long is passed', () => {
  const nextOf = (found: Found): unknown => {
    const answer = fitted(found);
    return answer.status === 'done' && (answer.result as { next?: number }).next;
  };
  const positions = Array.from({ length: 100 }, (_, n) => n + 1);
  assert.is(nextOf({ rows: rowsOf(100, 10), next: 100, positions }), 100);
  assert.is(nextOf({ rows: rowsOf(100, 1_000), next: 100, positions }), 65);
  assert.is(nextOf({ rows: rowsOf(100, 1_000), positions }), 65);
  assert.is(nextOf({ rows: rowsOf(1, 70_000), positions: [7] }), 7);
});

test('arguments that a tool does not know, lacks or cannot use are refused', () => {
  const refused = (name: string, args: Readonly<Record<string, unknown>>): string => {
    const tool = operatorTools[name];
    assert.ok(tool);
    try {
      argumentsIn(tool, args);
      return '';
    } catch (error) {
      return JSON.stringify((error as { errors?: unknown }).errors);
    }
  };
  assert.is(refused('streams_read', { streamId: 'a', after: 3 }), '');
  assert.match(refused('streams_read', {}), /streamId.*is required/);
  assert.match(refused('streams_read', { streamId: 'a', after: -1 }), /whole number/);
  assert.match(refused('stuck_list', { yes: true }), /yes.*is not known/);
  assert.match(refused('effects_list', { state: 'done' }), /one of waiting/);
  assert.match(refused('effects_list', { name: 'x'.repeat(2_001) }), /at most 2000/);
});
