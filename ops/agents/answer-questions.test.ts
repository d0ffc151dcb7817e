import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { fitted } from './answer-questions.js';
import type { AskedStore, Found } from './operator-tool.js';
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

test('arguments that a tool does not know, lacks or cannot use are refused', async () => {
  const store = { database: { rows: async () => [] } } as unknown as AskedStore;
  const refused = async (name: string, args: Readonly<Record<string, unknown>>): Promise<string> => {
    const error: unknown = await operatorTools[name]?.answer(args, store).catch((thrown: unknown) => thrown);
    return JSON.stringify((error as { errors?: unknown }).errors ?? '');
  };
  const streamId = newUuid();
  assert.is(await refused('streams_read', { streamId, after: null }), '""');
  for (const [name, args, why] of [
    ['streams_read', {}, /streamId.*is required/],
    ['streams_read', { streamId: 'a' }, /streamId.*must be a UUID/],
    ['streams_read', { streamId, after: -1 }, /after.*at least 0/],
    ['audit_search', { since: 'yesterday' }, /since.*ISO 8601/],
    ['stuck_list', { yes: true }, /yes.*is not known/],
    ['effects_list', { state: 'done' }, /one of waiting/],
    ['effects_list', { name: 'x'.repeat(2_001) }, /at most 2000/],
  ] as const)
    assert.match(await refused(name, args), why);
});
