import * as assert from 'uvu/assert';
import { Event } from '../../../contracts/message.js';
import type { AnyPerspective } from '../../../contracts/perspective.js';
import { Problem } from '../../../contracts/problems.js';
import { suite } from '../../../contracts/testing/suite.js';
import { foldKey, type StoredModel } from './fold.js';
import type { LogEntry } from '../../log/log-entry.js';
import { perspectiveTable } from '../tables/perspective-table.js';
import { InMemoryLog } from '../../testing/in-memory-perspective-store.js';

const test = suite('fold');

class Counted extends Event {}

interface Counter {
  total: number;
}

const counter = (over: object = {}): AnyPerspective =>
  ({
    name: 'counter',
    events: [Counted],
    initial: () => ({ total: 0 }),
    apply: (model: Counter, { payload }: { readonly payload: number | null }) =>
      payload === null ? null : { total: model.total + payload },
    ...over,
  }) as unknown as AnyPerspective;

const rules = (over: object = {}) => {
  const perspective = counter(over);
  return { perspective, table: perspectiveTable(perspective) };
};

const entries = (...payloads: unknown[]): readonly LogEntry[] => {
  const log = new InMemoryLog();
  for (const [index, payload] of payloads.entries()) log.append('a', 'Counted', payload, index, 'store');
  return log.entries;
};

const base: StoredModel = { model: '{"total":10}', tenant: 'acme', position: 7, applied: 4 };

test('a new row starts with the initial model', () => {
  const { row } = foldKey(rules(), 'a', undefined, entries(1, 2));
  assert.equal(row, { model: '{"total":3}', tenant: null, position: 2, applied: 2 });
});

test('a row continues from its stored model', () => {
  const { row } = foldKey(rules(), 'a', base, entries(1));
  assert.equal(row, { model: '{"total":11}', tenant: 'acme', position: 7, applied: 5 });
});

test('null deletes the row; a later event starts a new one', () => {
  assert.is(foldKey(rules(), 'a', base, entries(1, null)).row, null);
  assert.equal(foldKey(rules(), 'a', base, entries(null, 2)).row?.model, '{"total":2}');
});

const byTenants = (payload: unknown, ...tenants: readonly (string | null)[]): readonly LogEntry[] =>
  entries(...tenants.map(() => payload)).map((entry, index) => ({
    ...entry,
    event: { ...entry.event, scope: { tenantId: tenants[index] ?? null } },
  }));

test('a row belongs to the tenant of the event that created it, and later events without a tenant change it', () => {
  const { row } = foldKey(rules(), 'a', undefined, byTenants(1, 'acme', null, 'acme'));
  assert.equal(row, { model: '{"total":3}', tenant: 'acme', position: 3, applied: 3 });
});

test('an event of another tenant neither changes a row, takes it over, deletes it nor parks it', () => {
  for (const owner of ['acme', null]) {
    const own = { ...base, tenant: owner };
    for (const payload of [1, null])
      assert.equal(foldKey(rules(), 'a', own, byTenants(payload, 'bolt')).row, own);
    const faulty = byTenants(1, 'bolt').map((entry) => ({
      ...entry,
      fault: new Problem('missing-upcaster'),
    }));
    const folded = foldKey(rules(), 'a', own, faulty);
    assert.equal([folded.row, folded.failure], [own, undefined]);
  }
});

test('a deleted row has no owner: the next event creates it for its own tenant', () => {
  const [deleting] = byTenants(null, 'acme');
  const [creating] = byTenants(2, 'bolt');
  assert.ok(deleting && creating);
  assert.is(foldKey(rules(), 'a', base, [deleting, creating]).row?.tenant, 'bolt');
});

test('a snapshot is taken every n events of a row, however they are paged', () => {
  const { snapshots } = foldKey(
    rules({ snapshotEvery: 3 }),
    'a',
    { ...base, applied: 2 },
    entries(1, 1, 1, 1),
  );
  assert.equal(
    snapshots.map(({ model, applied, entry }) => [model, applied, entry.event.globalPosition]),
    [
      ['{"total":11}', 3, 1],
      ['{"total":14}', 6, 4],
    ],
  );
});

test('a row that fails stays as it was before the event, even when apply changed its argument first', () => {
  const apply = (model: Counter, { payload }: { readonly payload: number }): Counter => {
    model.total += payload;
    if (payload === 13) throw new RangeError('thirteen');
    return model;
  };
  const { row, failure, snapshots } = foldKey(
    rules({ apply, snapshotEvery: 1 }),
    'a',
    base,
    entries(1, 13, 2),
  );
  assert.is(row?.model, '{"total":11}');
  assert.is(failure?.entry.event.globalPosition, 2);
  assert.match(String(failure?.error), 'thirteen');
  assert.is(snapshots.length, 1);
});

test('the first event that makes a model unstorable is the one that failed', () => {
  const apply = (model: unknown, { payload }: { readonly payload: unknown }) => [model, payload];
  const initial = () => 'begin';
  const { row, failure } = foldKey(rules({ apply, initial }), 'a', undefined, entries(1, '\ud800', 2));
  assert.is(row?.model, '["begin",1]');
  assert.is(failure?.entry.event.globalPosition, 2);
});

test('a function is no model', () => {
  const { failure } = foldKey(rules({ apply: () => () => 1 }), 'a', undefined, entries(1));
  assert.match(String(failure?.error), 'apply returned a function; return plain data.');
});

test('an event that no upcaster can read fails like an apply', () => {
  const [entry] = entries(1);
  assert.ok(entry);
  const { failure, row } = foldKey(rules(), 'a', base, [{ ...entry, fault: new RangeError('too old') }]);
  assert.match(String(failure?.error), 'too old');
  assert.equal(row, base);
});
