import * as assert from 'uvu/assert';
import type { Uuid } from '../../contracts/scalars.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import type { Database } from '../database/database.js';
import { withMigratedDatabase } from '../testing/migrated-database.js';
import { testRecorder } from '../testing/small-segments.js';
import { openPostgresStore } from './postgres-event-store.js';
import { StoreWitness } from './store-witness.js';

const test = suite('store witness on PostgreSQL');

interface Scene {
  readonly database: Database;
  /** Commits events that the witness sees. */
  readonly append: (count: number, ...seenBy: readonly StoreWitness[]) => Promise<void>;
  readonly witness: (host: string, acceptsLoss?: boolean) => Promise<StoreWitness>;
  /** As if the server had been replaced by one that lacks what comes after the position. */
  readonly goBackTo: (position: number, hasNewTimeline?: boolean) => Promise<void>;
  readonly epochs: () => Promise<readonly (readonly (string | null)[])[]>;
  /** What the system stream says about losses. */
  readonly reports: Scene['epochs'];
}

const withScene = (body: (scene: Scene) => Promise<void>): Promise<void> =>
  withMigratedDatabase(async (migrated) => {
    const database = migrated.connect();
    const owner = migrated.connect({ owner: true });
    const store = openPostgresStore(database, { host: 'test' });
    try {
      await body({
        database,
        append: async (count, ...seenBy) => {
          for (let n = 0; n < count; n++) {
            const id: Uuid = newUuid();
            const { globalPositions } = await store.append(newUuid(), [happened(id)]);
            for (const witness of seenBy) witness.observe(globalPositions[0] ?? 0, id);
          }
        },
        witness: async (host, acceptsLoss = true) => {
          const witness = new StoreWitness({ host, acceptsLoss });
          await witness.start(database);
          return witness;
        },
        goBackTo: async (position, hasNewTimeline = true) => {
          await owner.rows({
            text: `SET session_replication_role = replica; DELETE FROM svc_events WHERE global_position > ${position};
              SET session_replication_role = DEFAULT`,
          });
          if (hasNewTimeline) await owner.rows({ text: "UPDATE svc_epochs SET timeline = '0000000A'" });
        },
        epochs: () =>
          database.rows({
            text: 'SELECT epoch, fork, lost_to, witness, accepted_to FROM svc_epochs ORDER BY 1',
          }),
        reports: () => database.rows({ text: reportsText }),
      });
    } finally {
      await store.close();
    }
  });

const reportsText = `SELECT data->>'epoch', data->>'fork', data->>'lostTo', data->>'witness' FROM svc_system_stream
  WHERE event_type = 'StoreWentBack'`;

const happened = (messageId: Uuid) => ({
  messageId,
  messageType: 'Happened',
  payload: {},
  timestamp: new Date().toISOString(),
  v: 1,
});

test('a server that was promoted without a loss begins an epoch, once', () =>
  withScene(async ({ database, append, witness, goBackTo, epochs }) => {
    const north = await witness('north');
    await append(3, north);
    await goBackTo(3);
    await north.connected(database);
    await (await witness('south')).connected(database);
    assert.equal(await epochs(), [
      ['1', '0', null, null, null],
      ['2', '3', null, null, null],
    ]);
    assert.equal([north.epoch, north.loss], [2, undefined]);
  }));

test('the range of a loss is exact, also when a host that had seen less connects and writes first', () =>
  withScene(async ({ database, append, witness, goBackTo, epochs, reports }) => {
    const [north, south] = [await witness('north'), await witness('south')];
    await append(2, north, south);
    await append(3, north);
    await goBackTo(2);
    await south.connected(database);
    await append(9, south);
    assert.is(south.loss, undefined);
    await north.connected(database);
    assert.equal(north.loss, { epoch: 2, fork: 2, lostTo: 5 });
    assert.equal((await epochs())[1], ['2', '2', '5', 'north', '5']);
    for (const each of [north, south]) await each.record(database, testRecorder);
    assert.equal(await reports(), [['2', '2', '5', 'north']]);
  }));

test('of several hosts, the one that had seen most decides how far the loss reaches', () =>
  withScene(async ({ database, append, witness, goBackTo, epochs }) => {
    const [north, south] = [await witness('north'), await witness('south')];
    await append(1, north, south);
    await append(2, south);
    await append(2, north);
    await goBackTo(1);
    for (const each of [south, north, south]) await each.connected(database);
    assert.equal(await epochs(), [
      ['1', '0', null, null, null],
      ['2', '1', '5', 'north', '5'],
    ]);
  }));

test('a disk that was set back without a promotion begins an epoch, too', () =>
  withScene(async ({ database, append, witness, goBackTo, epochs }) => {
    const north = await witness('north');
    await append(4, north);
    await goBackTo(1, false);
    await north.connected(database);
    assert.equal((await epochs())[1], ['2', '1', '4', 'north', '4']);
    await append(5, north);
    await goBackTo(3, false);
    await north.connected(database);
    assert.equal((await epochs())[2], ['3', '3', '6', 'north', '6']);
  }));

test('where two copies were promised, every host refuses until the loss is accepted, also after a restart', () =>
  withScene(async ({ database, append, witness, goBackTo, epochs, reports }) => {
    const [north, south] = [await witness('north', false), await witness('south', false)];
    await append(3, north);
    await goBackTo(1);
    await north.connected(database);
    await south.check(database);
    const restarted = await witness('north', false);
    assert.equal(
      [north, south, restarted].map(({ isRefused }) => isRefused),
      [true, true, true],
    );
    assert.equal((await epochs())[1], ['2', '1', '3', 'north', null]);
    await north.record(database, testRecorder);
    assert.equal(await reports(), []);
    assert.equal(await database.rows({ text: 'SELECT * FROM svc_accept_loss()' }), [['2', '1', '3']]);
    for (const each of [north, south, restarted]) await each.check(database);
    assert.equal(
      [north, south, restarted].map(({ isRefused }) => isRefused),
      [false, false, false],
    );
    await south.record(database, testRecorder);
    assert.equal(await reports(), [['2', '1', '3', 'north']]);
  }));

test('what was seen before a restart counts, until the loss is accepted', () =>
  withScene(async ({ database, append, witness, goBackTo, epochs }) => {
    const before = await witness('north', false);
    await append(4, before);
    const { newest } = before;
    assert.ok(newest);
    const restarted = async (): Promise<StoreWitness> => {
      const again = new StoreWitness({ host: 'north', acceptsLoss: false });
      again.recall([newest]);
      await again.start(database);
      return again;
    };
    assert.is((await restarted()).isRefused, false);
    await goBackTo(2, false);
    const { isRefused, loss } = await restarted();
    assert.equal([isRefused, loss], [true, { epoch: 2, fork: 2, lostTo: 4 }]);
    await database.rows({ text: 'SELECT * FROM svc_accept_loss()' });
    const later = await restarted();
    assert.equal([later.isRefused, later.losses, (await epochs()).length], [false, 0, 2]);
  }));

test('a loss that reaches further than the accepted one is refused again', () =>
  withScene(async ({ database, append, witness, goBackTo }) => {
    const [north, south] = [await witness('north', false), await witness('south', false)];
    await append(2, south);
    await append(1, north);
    await goBackTo(0);
    await south.connected(database);
    await database.rows({ text: 'SELECT * FROM svc_accept_loss()' });
    await north.connected(database);
    await south.check(database);
    assert.equal([north.isRefused, south.isRefused, north.loss?.lostTo], [true, true, 3]);
  }));

test('the runtime cannot change epochs but by these functions', () =>
  withScene(async ({ database }) => {
    const text = 'UPDATE svc_epochs SET accepted_to = lost_to';
    const outcome = await database.rows({ text }).catch((error: unknown) => String(error));
    assert.match(String(outcome), /permission denied/);
  }));
