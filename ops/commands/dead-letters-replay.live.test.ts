import * as assert from 'uvu/assert';
import { startSubscriber } from '../../actors/subscriber/start-subscriber.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import type { Database } from '../../runtime/database/database.js';
import type { HostLeases } from '../../runtime/leases/host-leases.js';
import { hostLeases } from '../../runtime/testing/leases.js';
import type { Inbox, ReceivedDeadLetter } from '../../runtime/inbox/inbox.js';
import { postgresInbox } from '../../runtime/inbox/postgres-inbox.js';
import { ForeignStore, inbound } from '../../runtime/testing/foreign-events.js';
import { withMigratedDatabase } from '../../runtime/testing/migrated-database.js';
import { until } from '../../runtime/kit/until.js';
import { InProcessTransport } from '../../runtime/transport/in-process-transport.js';
import { svcInProcess } from '../testing/in-process-cli.js';
import { svc } from '../testing/spawned-host.js';

const test = suite('svc dead-letters replay, many at once');

const tooMany = { error: 'too-many-stores: for now', fingerprint: '00000000000a' };
const taken = { error: 'place-taken: 100% so', fingerprint: '00000000000b' };

interface Scene {
  readonly database: Database;
  readonly inbox: Inbox;
  readonly leases: HostLeases;
  readonly replay: (...args: string[]) => ReturnType<typeof svc>;
  readonly states: () => Promise<string[]>;
}

/** 120 messages of as many stores, all over the limit, and 3 others. */
const withDeadLetters = (body: (scene: Scene) => Promise<void>): Promise<void> =>
  withMigratedDatabase(async (migrated) => {
    const database = migrated.connect();
    const leases = hostLeases(database);
    const inbox = postgresInbox(database, leases.owner);
    await inbox.acquireLease(60_000);
    const letter = (why: typeof tooMany): ReceivedDeadLetter => {
      const message = inbound(new ForeignStore().event(newUuid()));
      const { subject } = message;
      return { messageId: undefined, messageType: 'Baked', headers: {}, subject, body: message.body, ...why };
    };
    const letters = Array.from({ length: 123 }, (_, n) => letter(n < 120 ? tooMany : taken));
    await inbox.storeDeadLetters(letters);
    await body({
      database,
      inbox,
      leases,
      replay: (...args) =>
        svc(['dead-letters', 'replay', ...args], { DATABASE_URL: migrated.url, SVC_ACTOR: 'ada' }),
      states: async () =>
        (
          await database.rows({
            text: 'SELECT state, count(*) FROM svc_stuck_work GROUP BY state ORDER BY state',
          })
        ).map((row) => row.join(' ')),
    });
  });

test('all dead letters whose error contains the text are replayed at once, and the action is recorded', () =>
  withDeadLetters(async ({ database, inbox, leases, replay, states }) => {
    const { code, stdout } = await replay('--error', 'too-many-stores', '--json');
    assert.equal([code, stdout], [0, '{"replaying":120,"cut":0}\n']);
    const filter = { shouldPublishToTransport: () => true, shouldReceiveFromTransport: () => true };
    const ports = {
      inbox,
      transport: new InProcessTransport(),
      filter,
      report: () => undefined,
      leases,
    };
    const subscriber = startSubscriber(ports, { store: newUuid(), types: ['Baked'] });
    try {
      await until(async () => (await states()).join() === 'parked 3,replayed 120');
    } finally {
      await subscriber.stop();
    }
    assert.equal(await database.rows({ text: 'SELECT count(*) FROM svc_events' }), [['120']]);
    const [acted] = await database.rows({
      text: `SELECT data ->> 'action', data ->> 'target', data ->> 'actor' FROM svc_system_stream WHERE event_type = 'OperatorActed'`,
    });
    assert.equal(acted, ['dead-letters replay', "120 with error 'too-many-stores'", 'ada']);
  }));

test('all dead letters with one fingerprint are replayed; the text of an error is matched literally', () =>
  withDeadLetters(async ({ replay, states }) => {
    const { stdout } = await replay('--fingerprint', taken.fingerprint);
    assert.is(stdout, '3 dead letters will be published or received again by running hosts.\n');
    assert.equal(await states(), ['parked 120', 'retrying 3']);
    const none = await replay('--error', '%');
    assert.equal([none.code, none.stderr], [1, "svc: No dead letter with error '%' can be replayed.\n"]);
  }));

for (const args of [
  ['--fingerprint', 'x'],
  ['--error', ' '],
  ['--error', 'a', '--fingerprint', '00000000000a'],
  ['7', '--error', 'a'],
])
  test(`\`svc dead-letters replay ${args.join(' ')}\` is refused on one line, before it connects`, async () => {
    const { code, stdout, stderr } = await svcInProcess(['dead-letters', 'replay', ...args]);
    assert.equal([code, stdout], [1, '']);
    assert.match(stderr, /^svc: [^\n]+; see svc dead-letters --help\.\n$/);
  });
