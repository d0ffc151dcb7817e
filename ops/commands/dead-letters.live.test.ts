import { userInfo } from 'node:os';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { messageListener } from '../../runtime/testing/message-listener.js';
import { startOutboxRelay } from '../../actors/outbox/outbox-relay.js';
import { startSubscriber } from '../../actors/subscriber/start-subscriber.js';
import type { Envelope } from '../../contracts/message.js';
import { newUuid } from '../../contracts/uuid.js';
import type { Database } from '../../runtime/database/database.js';
import { hostLeases } from '../../runtime/testing/leases.js';
import { postgresInbox } from '../../runtime/inbox/postgres-inbox.js';
import { postgresOutbox } from '../../runtime/outbox/postgres-outbox.js';
import { ForeignStore, inbound } from '../../runtime/testing/foreign-events.js';
import { withMigratedDatabase } from '../../runtime/testing/migrated-database.js';
import { InProcessTransport } from '../../runtime/transport/in-process-transport.js';
import { svcInProcess } from '../testing/in-process-cli.js';
import { svc } from '../testing/spawned-host.js';
import { until } from '../../runtime/kit/until.js';

const test = suite('svc dead-letters');

interface Scene {
  readonly svc: (...args: string[]) => ReturnType<typeof svc>;
  readonly database: Database;
  readonly stream: string;
  readonly delivered: string[];
  /** From now on the transport accepts what it rejected before. */
  readonly relent: () => void;
}

/** Two events; the transport rejects the first for good. */
const withDeadLetter = (body: (scene: Scene) => Promise<void>): Promise<void> =>
  withMigratedDatabase(async (migrated) => {
    const database = migrated.connect();
    const stream = newUuid();
    const delivered: string[] = [];
    let refusing = true;
    const transport = new InProcessTransport();
    transport.subscribe(
      messageListener('>', ({ envelope }) => {
        if (refusing && envelope.streamPosition === 1) throw new RangeError('no \u001b[2Jplace\nfor it');
        delivered.push(envelope.messageType);
      }),
    );
    const filter = { shouldPublishToTransport: () => true, shouldReceiveFromTransport: () => true };
    const leases = hostLeases(database);
    const outbox = postgresOutbox(database, leases.owner, newUuid());
    const ports = { outbox, transport, filter, report: () => undefined, leases };
    await migrated.openStore().append(stream, [happened('Baked'), happened('Sold')]);
    const relay = startOutboxRelay(ports, { maxAttempts: 2, firstRetryMs: 1 });
    try {
      await until(async () => delivered.length === 1);
      const run = (...args: string[]) =>
        svcInProcess(['dead-letters', ...args], { DATABASE_URL: migrated.url });
      await body({ svc: run, database, stream, delivered, relent: () => void (refusing = false) });
    } finally {
      await relay.stop();
    }
  });

const happened = (messageType: string): Envelope => ({
  messageId: newUuid(),
  messageType,
  payload: { loaves: 3 },
  timestamp: new Date().toISOString(),
  v: 1,
});

/** The operator actions in the system stream. */
const actions = (database: Database) =>
  database.rows({
    text: `SELECT data->>'action', data->>'target', data->>'actor', data->>'reason' FROM svc_system_stream
      WHERE event_type = 'OperatorActed' ORDER BY stream_position`,
  });

const jsonIn = (stdout: string): unknown => JSON.parse(stdout);

test('list shows each dead letter on one line', () =>
  withDeadLetter(async (scene) => {
    const { code, stdout, stderr } = await scene.svc('list');
    assert.equal([code, stderr], [0, '']);
    assert.match(
      stdout,
      /^1  \S+Z  dead  svc\.events\.Baked  \S+  rejected 2 times: RangeError: no \\u001b\[2Jplace for it\n$/,
    );
  }));

test('list --json prints an array', () =>
  withDeadLetter(async (scene) => {
    const { code, stdout } = await scene.svc('list', '--json');
    assert.is(code, 0);
    const [letter, ...rest] = jsonIn(stdout) as Record<string, unknown>[];
    assert.equal(rest, []);
    const { id, messageType, destination, attempts, lastError, fingerprint, state } = letter ?? {};
    assert.equal(
      [id, messageType, destination, attempts, lastError, state],
      [1, 'Baked', 'svc.events.Baked', 2, 'RangeError: no \u001b[2Jplace\nfor it', 'dead'],
    );
    assert.match(String(fingerprint), /^[0-9a-f]{12}$/);
  }));

test('show includes the message', () =>
  withDeadLetter(async (scene) => {
    const { stdout } = await scene.svc('show', '1', '--json');
    const { message } = jsonIn(stdout) as { message: Record<string, unknown> };
    assert.equal(
      [message['messageType'], message['streamId'], message['payload']],
      ['Baked', scene.stream, { loaves: 3 }],
    );
    const text = await scene.svc('show', '1');
    assert.is(text.code, 0);
    assert.match(text.stdout, /destination +svc\.events\.Baked\n/);
    assert.match(text.stdout, /"loaves": 3/);
  }));

test('replay makes the running relay publish the message again', () =>
  withDeadLetter(async (scene) => {
    scene.relent();
    const { code, stdout } = await scene.svc('replay', '1');
    assert.equal(
      [code, stdout],
      [0, 'Dead letter 1 will be published again by the relay of a running host.\n'],
    );
    await until(async () => scene.delivered.length === 2);
    assert.equal(scene.delivered, ['Sold', 'Baked']);
    await until(async () => (await scene.svc('list', '--json')).stdout === '[]\n');
    const { stdout: shown } = await scene.svc('show', '1', '--json');
    const { state, resolvedBy } = jsonIn(shown) as Record<string, unknown>;
    assert.equal([state, resolvedBy], ['replayed', userInfo().username]);
    assert.equal(await actions(scene.database), [['dead-letters replay', '1', userInfo().username, null]]);
  }));

test('a replayed message that is rejected again becomes a dead letter again', () =>
  withDeadLetter(async (scene) => {
    await scene.svc('replay', '1');
    const attempts = async () =>
      jsonIn((await scene.svc('list', '--json')).stdout) as Record<string, unknown>[];
    await until(async () => (await attempts())[0]?.['attempts'] === 3);
    assert.is((await attempts())[0]?.['state'], 'dead');
  }));

test('discard needs a reason', () =>
  withDeadLetter(async (scene) => {
    for (const args of [[], ['--reason', ' ']]) {
      const { code, stdout, stderr } = await scene.svc('discard', '1', ...args);
      const asked = 'A reason is missing: svc dead-letters discard <id> --reason TEXT';
      assert.equal([code, stdout, stderr], [1, '', `svc: ${asked}; see svc dead-letters --help.\n`]);
    }
    assert.match((await scene.svc('list')).stdout, /^1 .* dead /);
    assert.equal(await actions(scene.database), []);
  }));

test('discard gives a dead letter up, and records who did so and why', () =>
  withDeadLetter(async (scene) => {
    const { code, stdout } = await scene.svc('discard', '1', '--reason', 'sent by hand', '--json');
    assert.is(code, 0);
    const { state, resolvedBy, reason } = jsonIn(stdout) as Record<string, unknown>;
    assert.equal([state, resolvedBy, reason], ['discarded', userInfo().username, 'sent by hand']);
    assert.is((await scene.svc('list')).stdout, 'There are no dead letters.\n');
    assert.equal(await scene.database.rows({ text: 'SELECT * FROM svc_dead_letters' }), []);
    const again = await scene.svc('replay', '1');
    assert.equal(
      [again.code, again.stdout, again.stderr],
      [1, '', 'svc: Dead letter 1 is already discarded.\n'],
    );
    assert.equal(await actions(scene.database), [
      ['dead-letters discard', '1', userInfo().username, 'sent by hand'],
    ]);
  }));

test('a dead letter that does not exist is reported on one line', () =>
  withDeadLetter(async (scene) => {
    for (const args of [['show'], ['replay'], ['discard', '--reason', 'x']]) {
      const { code, stdout, stderr } = await scene.svc(...args, '7');
      assert.equal([code, stdout, stderr], [1, '', 'svc: There is no dead letter 7.\n']);
    }
  }));

test('a received message that could not be stored is listed and shown, and replay makes a running host receive it again', () =>
  withMigratedDatabase(async (migrated) => {
    const database = migrated.connect();
    const run = (...args: string[]) => svc(['dead-letters', ...args], { DATABASE_URL: migrated.url });
    const leases = hostLeases(database);
    const inbox = postgresInbox(database, leases.owner);
    await inbox.acquireLease(60_000);
    const { subject, body } = inbound(new ForeignStore().event(newUuid()));
    const message = { messageId: undefined, messageType: 'Baked', headers: {}, fingerprint: '0123456789ab' };
    await inbox.storeDeadLetters([{ ...message, subject, body, error: 'too-many-stores: for now' }]);
    assert.match(
      (await run('list')).stdout,
      /^1  \S+Z  dead  svc\.events\.Baked  no id  received 1 times, not stored: too-many-stores: for now\n$/,
    );
    assert.match((await run('show', '1')).stdout, /"loaves": 1/);
    const { stdout } = await run('replay', '1');
    assert.is(stdout, 'Dead letter 1 will be received again by the subscriber of a running host.\n');
    const filter = { shouldPublishToTransport: () => true, shouldReceiveFromTransport: () => true };
    const transport = new InProcessTransport();
    const ports = { inbox, transport, filter, report: () => undefined, leases };
    const subscriber = startSubscriber(ports, { store: newUuid(), types: ['Baked'] });
    await until(async () => (await run('list', '--json')).stdout === '[]\n');
    await subscriber.stop();
    assert.equal(await database.rows({ text: 'SELECT event_type FROM svc_events' }), [['Baked']]);
  }));

test('a received message that is discarded is shown without its body, and cannot be replayed', () =>
  withMigratedDatabase(async (migrated) => {
    const database = migrated.connect();
    const run = (...args: string[]) =>
      svcInProcess(['dead-letters', ...args], { DATABASE_URL: migrated.url });
    const inbox = postgresInbox(database, newUuid());
    await inbox.acquireLease(60_000);
    const { subject, body } = inbound(new ForeignStore().event(newUuid()));
    const message = { messageId: undefined, messageType: 'Baked', headers: {}, fingerprint: '0123456789ab' };
    await inbox.storeDeadLetters([{ ...message, subject, body, error: 'place-taken: another event' }]);
    await run('discard', '1', '--reason', 'not ours');
    const { stdout } = await run('show', '1');
    assert.not.match(stdout, 'loaves');
    assert.match(stdout, /\nDead letter 1 is discarded: its message is not kept and cannot be replayed\.\n$/);
    const { code, stderr } = await run('replay', '1');
    assert.equal([code, stderr], [1, 'svc: Dead letter 1 is already discarded.\n']);
  }));

for (const args of [
  [],
  ['bury'],
  ['list', '1'],
  ['show'],
  ['show', 'one'],
  ['replay', '1', '2'],
  ['show', '1', '--reason', 'x'],
  ['list', '--loud'],
]) {
  test(`\`svc dead-letters ${args.join(' ')}\` is refused on one line, before it connects`, async () => {
    const { code, stdout, stderr } = await svcInProcess(['dead-letters', ...args]);
    assert.equal([code, stdout], [1, '']);
    assert.match(stderr, /^svc: [^\n]+; see svc dead-letters --help\.\n$/);
  });
}

test('--help has an example', async () => {
  const { code, stdout } = await svc(['dead-letters', '--help']);
  assert.is(code, 0);
  assert.match(stdout, 'svc dead-letters discard 7 --reason "sent by hand"');
});
