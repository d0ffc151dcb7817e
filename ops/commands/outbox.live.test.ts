import * as assert from 'uvu/assert';
import { startOutboxRelay } from '../../actors/outbox/outbox-relay.js';
import type { Envelope } from '../../contracts/message.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import type { Database } from '../../runtime/database/database.js';
import { hostLeases } from '../../runtime/testing/leases.js';
import { postgresOutbox } from '../../runtime/outbox/postgres-outbox.js';
import { messageListener } from '../../runtime/testing/message-listener.js';
import { withMigratedDatabase } from '../../runtime/testing/migrated-database.js';
import { until } from '../../runtime/kit/until.js';
import { InProcessTransport } from '../../runtime/transport/in-process-transport.js';
import { currentOperator } from '../cli/operator.js';
import { svcInProcess } from '../testing/in-process-cli.js';
import { svc } from '../testing/spawned-host.js';

const test = suite('svc outbox');

interface Scene {
  readonly svc: (...args: string[]) => ReturnType<typeof svc>;
  readonly database: Database;
  readonly append: (count: number) => Promise<void>;
  /** Waits until the cursor is past everything: it moves a while after a message has arrived. */
  readonly drained: () => Promise<number>;
  /** Stream positions in the order of their arrival. */
  readonly arrived: number[];
  /** Rejects these from now on. */
  readonly refuse: (position: number | undefined) => void;
}

const withOutbox = (body: (scene: Scene) => Promise<void>): Promise<void> =>
  withMigratedDatabase(async (migrated) => {
    const database = migrated.connect();
    const events = migrated.openStore();
    const stream = newUuid();
    const arrived: number[] = [];
    let refused: number | undefined;
    const transport = new InProcessTransport();
    transport.subscribe(
      messageListener('svc.events.>', ({ envelope }) => {
        if (envelope.streamPosition === refused) throw new RangeError('no place for it');
        arrived.push(envelope.streamPosition ?? 0);
      }),
    );
    const filter = { shouldPublishToTransport: () => true, shouldReceiveFromTransport: () => true };
    const leases = hostLeases(database);
    const outbox = postgresOutbox(database, leases.owner, newUuid());
    const ports = { outbox, transport, filter, report: () => undefined, leases };
    const relay = startOutboxRelay(ports, { maxAttempts: 1 });
    const run = (...args: string[]) => svcInProcess(['outbox', ...args], { DATABASE_URL: migrated.url });
    const append = async (count: number) => {
      for (let n = 0; n < count; n++) await events.append(stream, [happened()]);
    };
    const drained = () =>
      until(async () => (await database.rows({ text: 'SELECT 1 FROM svc_outbox_pending' })).length === 0);
    const refuse = (position: number | undefined) => void (refused = position);
    try {
      await body({ svc: run, database, append, drained, arrived, refuse });
    } finally {
      await relay.stop();
    }
  });

const happened = (): Envelope => ({
  messageId: newUuid(),
  messageType: 'Baked',
  payload: {},
  timestamp: new Date().toISOString(),
  v: 1,
});

test('published messages are published again from a position on, in order, while the relay runs', () =>
  withOutbox(async ({ svc: run, database, append, drained, arrived }) => {
    await append(5);
    await until(() => arrived.length === 5);
    await drained();
    const { code, stdout } = await run('republish', '--from', '3', '--reason', 'lost', '--json');
    assert.equal([code, JSON.parse(stdout)], [0, { from: 3, to: 5, messages: 3 }]);
    await until(() => arrived.length === 8);
    assert.equal(arrived, [1, 2, 3, 4, 5, 3, 4, 5]);
    const text = `SELECT data->>'action', data->>'target', data->>'actor', data->>'reason'
      FROM svc_system_stream WHERE event_type = 'OperatorActed'`;
    assert.equal(await database.rows({ text }), [['outbox republish', '3-5', currentOperator(), 'lost']]);
    await append(1);
    await until(() => arrived.at(-1) === 6);
    await drained();
    assert.match((await run('republish', '--from', '7')).stdout, /^1 message from position 7 to 7 will /);
  }));

test('a replayed dead letter is published again with the others', () =>
  withOutbox(async ({ database, svc: run, append, drained, arrived, refuse }) => {
    refuse(2);
    await append(3);
    await until(async () => (await database.rows({ text: 'SELECT 1 FROM svc_dead_letters' })).length === 1);
    refuse(undefined);
    await database.rows({ text: "SELECT svc_resolve_dead_letters('{1}', 'retrying', 'ann', NULL)" });
    await until(() => arrived.length === 3);
    await until(async () => (await database.rows({ text: 'SELECT 1 FROM svc_dead_letters' })).length === 0);
    await drained();
    await run('republish', '--from', '1');
    await until(() => arrived.length === 6);
    await drained();
    assert.equal(arrived.slice(3), [1, 2, 3]);
    refuse(2);
    await run('republish', '--from', '1');
    await until(async () => (await database.rows({ text: 'SELECT 1 FROM svc_dead_letters' })).length === 1);
    await until(() => arrived.length === 8);
  }));

test('a position that has not been published is refused, and nothing is recorded', () =>
  withOutbox(async ({ svc: run, database, append, drained, arrived }) => {
    await append(2);
    await until(() => arrived.length === 2);
    await drained();
    const { code, stdout, stderr } = await run('republish', '--from', '3');
    assert.equal([code, stdout], [1, '']);
    assert.match(stderr, /^svc: .*Position 3 has not been published yet; the outbox is at 2.*\n$/);
    assert.equal(await database.rows({ text: 'SELECT 1 FROM svc_system_events' }), []);
  }));

for (const args of [
  [],
  ['republish'],
  ['republish', '--from', '0'],
  ['republish', '--from', '1e3'],
  ['republish', '--from', '-1'],
  ['send', '--from', '1'],
  ['republish', '--from', '1', '--loud'],
]) {
  test(`\`svc outbox ${args.join(' ')}\` is refused on one line, before it connects`, async () => {
    const { code, stdout, stderr } = await svc(['outbox', ...args]);
    assert.equal([code, stdout], [1, '']);
    assert.match(stderr, /^svc: [^\n]*; see svc outbox --help\.\n$/);
  });
}
