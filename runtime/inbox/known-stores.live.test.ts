import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import type { Database } from '../database/database.js';
import { ForeignStore } from '../testing/foreign-events.js';
import { inMinutes, leaseMs, withInbox } from '../testing/inbox-scene.js';
import { headSigner } from '../testing/signed-heads.js';

const test = suite('stores whose events are received');

test('an event that was under way when its store was forgotten is not stored, and is once it is trusted again', () =>
  withInbox(async ({ database, bakery, keep }) => {
    await keep(bakery.event(newUuid()));
    const late = bakery.event(newUuid());
    await database.rows({ text: 'SELECT svc_forget_store($1, $2)', values: [bakery.id, 'ann'] });
    assert.equal(await keep(late), ['duplicate']);
    await database.rows({ text: 'SELECT svc_trust_store($1, NULL, $2)', values: [bakery.id, 'ann'] });
    assert.equal(await keep(late), ['stored']);
  }));

const inventStores = (owner: Database, from: number, to: number, seen: string) =>
  owner.rows({
    text: `INSERT INTO svc_origins(origin, store, first_seen)
      SELECT n, gen_random_uuid(), clock_timestamp() - interval '${seen}' FROM generate_series(${from}, ${to}) n`,
  });

test('beyond the first 1,000 stores 20 new ones an hour are accepted: a real one gets in after forged ones', () =>
  withInbox(async ({ owner, bakery, keep }) => {
    await keep(bakery.event(newUuid()));
    await inventStores(owner, 2, 990, '0');
    const invented = Array.from({ length: 40 }, () => new ForeignStore().event(newUuid()));
    const kept = (await keep(...invented)) as string[];
    assert.equal([kept.filter((one) => one === 'stored').length, kept.at(-1)], [10, 'too-many-stores']);
    assert.equal(await keep(bakery.event(newUuid())), ['stored'], 'a known store continues');
    await owner.rows({ text: "UPDATE svc_origins SET first_seen = first_seen - interval '1 hour'" });
    const real = new ForeignStore();
    assert.equal(await keep(real.event(newUuid()), real.event(newUuid())), ['stored', 'stored']);
  }));

test('an operator can admit a store beyond the limit, up to 10,000', () =>
  withInbox(async ({ owner, inbox, keep }) => {
    await inventStores(owner, 1, 9_999, '0');
    const [real, another] = [new ForeignStore(), new ForeignStore()];
    const [first, second] = [real.event(newUuid()), another.event(newUuid())];
    assert.equal(await keep(first), ['too-many-stores']);
    for (const { id } of [real, another]) assert.is(await inbox.admitStore(id, leaseMs), undefined);
    assert.equal(await keep(first, second), ['stored', 'too-many-stores']);
  }));

test('a message that cannot be stored, or a head alone, does not register a store', () =>
  withInbox(async ({ inbox, database, bakery, keep }) => {
    const far = inMinutes(25 * 60);
    await keep(bakery.event(newUuid(), { occurredAt: far, recordedAt: far }));
    const head = headSigner(bakery.id)({ position: 7, hash: 'ab'.repeat(32) });
    assert.is(await inbox.storeHead(bakery.id, head, leaseMs), 'unknown');
    assert.equal(await database.rows({ text: 'SELECT count(*) FROM svc_origins' }), [['1']]);
  }));
