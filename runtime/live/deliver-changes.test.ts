import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import type { LogEntry } from '../log/log-entry.js';
import type { TableColumn } from '../perspectives/tables/perspective-table.js';
import { deliverChanges } from './deliver-changes.js';
import { LiveRow } from './live-row.js';
import type { EarlierRows, RowChange } from './row-change.js';
import { rowSelection } from './row-selection.js';
import { Member, Members, type Watcher } from './watcher.js';

const test = suite('delivery of changes');

interface Task {
  readonly owner: string;
  readonly state: string;
}

const column = (name: keyof Task): TableColumn => ({
  name,
  column: name,
  type: 'text',
  of: (model) => (model as Task)[name],
});
const [owner, state] = [column('owner'), column('state')];

const row = (model: Task, tenant: string | null = 'north'): LiveRow =>
  new LiveRow({ model: JSON.stringify(model), tenant, position: 7, applied: 1 });

const entry = { event: { globalPosition: 7, scope: { tenantId: 'north' } } } as unknown as LogEntry;

const changeOf = (now: LiveRow | undefined, key = 'k'): RowChange => ({
  key,
  position: 7,
  entries: [entry],
  row: now,
});

/** Texts are compared without a database. */
const database = { rows: () => Promise.reject(new TypeError('not asked')) };

/** What ann of north is sent, who watches open tasks. */
async function sentFor(
  now: LiveRow | undefined,
  before: EarlierRows,
  more: Partial<Watcher> & { readonly isOwner?: boolean } = {},
): Promise<string> {
  const sent: string[] = [];
  const limits = more.isOwner === true ? [{ column: owner, operator: 'eq', values: ['ann'] } as const] : [];
  const watcher: Watcher = {
    scope: rowSelection('north', limits),
    selection: rowSelection('north', [...limits, { column: state, operator: 'eq', values: ['open'] }]),
    isLimited: more.isOwner === true || more.mayRead !== undefined,
    send: ({ event }) => sent.push(event),
    ...more,
  };
  const members = new Members([new Member(watcher, 0)]);
  const earlier = () => Promise.resolve(new Map([['k', before]]));
  await deliverChanges({ database, earlier }, members, [changeOf(now)], 1);
  return sent.join(' ');
}

const open = row({ owner: 'ann', state: 'open' });
const done = row({ owner: 'ann', state: 'done' });
const bobs = row({ owner: 'bob', state: 'open' });
const souths = row({ owner: 'ann', state: 'open' }, 'south');

test('a row that matches is sent, whatever it was before', async () => {
  for (const before of [[], [done], 'unknown'] as const) assert.is(await sentFor(open, before), 'changed');
});

test('a row that left the filter or was deleted is gone, if it could be seen before', async () => {
  for (const now of [done, undefined]) {
    assert.is(await sentFor(now, [open]), 'gone');
    assert.is(await sentFor(now, [done, open, done]), 'gone');
    assert.is(await sentFor(now, [done]), '');
    assert.is(await sentFor(now, []), '');
  }
});

test('nobody learns of a row of another tenant or another owner', async () => {
  for (const before of [[], [souths], 'unknown'] as const) assert.is(await sentFor(souths, before), '');
  for (const before of [[], [bobs], 'unknown'] as const)
    assert.is(await sentFor(bobs, before, { isOwner: true }), '');
  assert.is(await sentFor(undefined, [bobs], { isOwner: true }), '');
  assert.is(await sentFor(undefined, [souths]), '');
  const mayRead = () => false;
  for (const before of [[], [open], 'unknown'] as const)
    assert.is(await sentFor(open, before, { mayRead }), '');
});

test('a row that was handed over is gone for its former owner', async () => {
  assert.is(await sentFor(bobs, [open], { isOwner: true }), 'gone');
});

test('without its history, a row that can still be read has left the filter', async () => {
  assert.is(await sentFor(done, 'unknown'), 'gone');
  assert.is(await sentFor(done, 'unknown', { isOwner: true }), 'gone');
});

test('without its history, a deleted row is gone for its tenant, and who may not see all reads the list again', async () => {
  assert.is(await sentFor(undefined, 'unknown'), 'gone');
  assert.is(await sentFor(undefined, 'unknown', { scope: rowSelection('south', []) }), '');
  assert.is(await sentFor(undefined, 'unknown', { isOwner: true }), 'reset');
  assert.is(await sentFor(undefined, 'unknown', { isOwner: true, key: 'k' }), '');
});

test('a watcher of one row is not sent another, and no change twice', async () => {
  assert.is(await sentFor(open, [], { key: 'other' }), '');
  const sent: string[] = [];
  const all = rowSelection('north', []);
  const send: Watcher['send'] = ({ event, at }) => sent.push(`${event} ${at.position}`);
  const members = new Members([new Member({ scope: all, selection: all, isLimited: false, send }, 0)]);
  const earlier = () => Promise.resolve(new Map<string, EarlierRows>());
  for (let n = 0; n < 2; n++) await deliverChanges({ database, earlier }, members, [changeOf(open)], 1);
  assert.equal(sent, ['changed 7']);
});

test('of several rows that one event changed, only the last has its position: who reconnects in between misses none', async () => {
  const sent: string[] = [];
  const all = rowSelection('north', []);
  const send: Watcher['send'] = ({ at }) => sent.push(String(at.position));
  const members = (after: number) =>
    new Members([new Member({ scope: all, selection: all, isLimited: false, send }, after)]);
  const earlier = () => Promise.resolve(new Map<string, EarlierRows>());
  const changes = ['a', 'b', 'c'].map((key) => changeOf(open, key));
  await deliverChanges({ database, earlier }, members(0), changes, 1);
  assert.equal(sent.splice(0), ['6', '6', '7']);
  await deliverChanges({ database, earlier }, members(6), changes, 1);
  assert.is(sent.length, 3);
});
