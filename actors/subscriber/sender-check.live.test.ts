import * as assert from 'uvu/assert';
import type { StoreTrusted } from '../../contracts/events/store-trusted.js';
import { SystemEventStreams } from '../../contracts/system-stream.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { chainHeadType } from '../../runtime/audit/chain.js';
import { ForeignStore, inbound } from '../../runtime/testing/foreign-events.js';
import { withMigratedDatabase } from '../../runtime/testing/migrated-database.js';
import { keyFromSeed, newSeed } from '../../runtime/trust/ed25519.js';
import { signHead } from '../../runtime/trust/signed-head.js';
import { eventsOf, lettersIn, signingStore, withReceiver } from '../testing/receiver-scene.js';

const test = suite('sender check');

test('pin: a new store is trusted from its first message on, which is reported once', () =>
  withReceiver('pin', async ({ receive, reported, database }) => {
    const bakery = new ForeignStore();
    await receive(bakery.event(newUuid()), bakery.event(newUuid()));
    await receive(bakery.event(newUuid()));
    assert.equal(await eventsOf(database), [['3']]);
    assert.equal(
      reported.map((message) => Object.assign({}, message, { id: '', timestamp: '' })),
      [{ id: '', storeId: bakery.id, how: 'pinned', actor: 'here', timestamp: '' }],
    );
  }));

test('strict: the event of an unknown store is passed over, and others are stored', () =>
  withReceiver('strict', async ({ receive, counts, reported, database }) => {
    const [known, forger] = [new ForeignStore(), new ForeignStore()];
    await database.rows({ text: 'SELECT svc_trust_store($1, NULL, $2)', values: [known.id, 'ann'] });
    await receive(forger.event(newUuid()), known.event(newUuid()), forger.event(newUuid()));
    assert.equal(await eventsOf(database), [['1']]);
    assert.equal([counts.stored, counts.untrusted, counts.dead, reported], [1, 2, 0, []]);
    assert.equal(await database.rows({ text: 'SELECT store, messages FROM svc_waiting_stores' }), [
      [forger.id, '2'],
    ]);
  }));

test('strict: 10,050 invented stores do not shut out a real one', () =>
  withReceiver('strict', async ({ receive, counts, database }) => {
    const invented = Array.from({ length: 10_050 }, () => new ForeignStore().event(newUuid()));
    await receive(...invented);
    const [[waiting, known] = []] = await database.rows({
      text: 'SELECT (SELECT count(*) FROM svc_waiting_stores), (SELECT count(*) FROM svc_origins)',
    });
    assert.equal([waiting, known, counts.untrusted], ['100', '1', 10_050]);
    const real = new ForeignStore();
    await receive(real.event(newUuid()));
    await database.rows({ text: 'SELECT svc_trust_store($1, NULL, $2)', values: [real.id, 'ann'] });
    await receive(real.event(newUuid()));
    assert.equal(await eventsOf(database), [['1']]);
  }));

test('a store that was silent for an hour makes room for the next one that waits', () =>
  withMigratedDatabase(async ({ connect }) => {
    const owner = connect({ owner: true });
    await owner.rows({
      text: `INSERT INTO svc_waiting_stores SELECT gen_random_uuid(), t, 1
        FROM generate_series(1, 100) n, LATERAL (SELECT clock_timestamp() - n * interval '1 minute' AS t) s`,
    });
    const next = newUuid();
    await owner.rows({ text: 'SELECT svc_note_waiting($1, 3)', values: [next] });
    const text = 'SELECT count(*), max(messages) FROM svc_waiting_stores';
    assert.equal(await owner.rows({ text }), [['60', '3']]);
  }));

test('nothing more is taken from a forgotten store until it is trusted again', () =>
  withReceiver('pin', async ({ receive, counts, database }) => {
    const bakery = new ForeignStore();
    await receive(bakery.event(newUuid()));
    await database.rows({ text: 'SELECT svc_forget_store($1, $2)', values: [bakery.id, 'ann'] });
    await receive(bakery.event(newUuid()));
    assert.equal([await eventsOf(database), counts.untrusted], [[['1']], 1]);
    await database.rows({ text: 'SELECT svc_trust_store($1, NULL, $2)', values: [bakery.id, 'ann'] });
    await receive(bakery.event(newUuid()));
    assert.equal(await eventsOf(database), [['2']]);
  }));

test('the first signed message pins the key of its store; then unsigned and forged ones are dead letters', () =>
  withReceiver('pin', async ({ handle, reported, database }) => {
    const [bakery, forger] = [signingStore(), signingStore()];
    const stream = newUuid();
    await handle(inbound(bakery.event(stream)));
    await handle(bakery.signed(bakery.event(stream)));
    assert.equal(
      reported.map((message) => (message as StoreTrusted).publicKey),
      [undefined, bakery.publicKey],
    );
    const genuine = bakery.signed(bakery.event(stream));
    await handle(
      inbound(bakery.event(newUuid())),
      forger.signed(bakery.event(newUuid())),
      { ...bakery.signed(bakery.event(newUuid())), body: inbound(bakery.event(newUuid())).body },
      genuine,
    );
    assert.equal(await eventsOf(database), [['3']]);
    assert.equal(await lettersIn(database), ['unsigned-message', 'forged-message', 'forged-message']);
    await handle(genuine);
    assert.equal(await eventsOf(database), [['3']], 'replayed, it is a duplicate');
  }));

test('a key that the operator gave is the only one that counts, from the first message on', () =>
  withReceiver('strict', async ({ handle, database }) => {
    const [bakery, forger] = [signingStore(), signingStore()];
    const key = Buffer.from(bakery.publicKey, 'hex');
    await database.rows({ text: 'SELECT svc_trust_store($1, $2, $3)', values: [bakery.id, key, 'ann'] });
    await handle(forger.signed(bakery.event(newUuid())), bakery.signed(bakery.event(newUuid())));
    assert.equal(await eventsOf(database), [['1']]);
    assert.equal(await lettersIn(database), ['forged-message']);
  }));

test('the key that a signed head pins is reported', () =>
  withReceiver('pin', async ({ receive, reported }) => {
    const bakery = new ForeignStore();
    const key = { storeId: bakery.id, ...keyFromSeed(newSeed()) };
    await receive(bakery.event(newUuid()));
    const at = '2026-03-01T09:30:00.000Z';
    const history = { epoch: 1, forks: '', publishedTo: 3 };
    const head = signHead({ position: 3, hash: 'ab'.repeat(32), at, history }, key);
    const { streamId } = SystemEventStreams;
    const announced = bakery.event(streamId, { messageType: chainHeadType, payload: head });
    await receive(announced);
    await receive(announced);
    assert.equal(
      reported.map((message) => (message as StoreTrusted).publicKey),
      [undefined, key.publicKey.toString('hex')],
    );
  }));
