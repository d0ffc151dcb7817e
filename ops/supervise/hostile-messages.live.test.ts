import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { SystemEventStreams } from '../../contracts/system-stream.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { encodeEnvelope } from '../../runtime/envelope-codec.js';
import { withFolder } from '../../runtime/testing/temporary-folder.js';
import type { ReceivedEnvelope } from '../../runtime/inbox/read-envelope.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { ForeignStore } from '../../runtime/testing/foreign-events.js';
import {
  type HostileMessage,
  hostileMessages,
  meaninglessHeaders,
} from '../../runtime/testing/hostile-messages.js';
import { withNatsServer } from '../../runtime/testing/nats-server.js';
import { RawNats } from '../../runtime/testing/raw-nats.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { until } from '../../runtime/testing/until.js';
import { untilReady } from '../testing/probed-host.js';
import {
  isAlive,
  pids,
  allRun,
  withSupervisor,
  type SpawnedSupervisor,
} from '../testing/spawned-supervisor.js';
import { builtForProcess } from '../../runtime/testing/process-root.js';
import { withListening } from '../testing/spawned-host.js';

const test = suite('hostile messages');

const patience = 300_000;

interface Broker {
  readonly url: string;
  readonly raw: RawNats;
}

/** A separate one, which accepts larger messages. */
const withBroker = (body: (broker: Broker) => Promise<void>): Promise<void> =>
  withFolder(async (folder) => {
    const settings = join(folder, 'nats.conf');
    await writeFile(settings, 'max_payload: 16MB\n');
    await withNatsServer(
      async ({ url }) => {
        const raw = await RawNats.connect(url);
        try {
          await body({ url, raw });
        } finally {
          raw.close();
        }
      },
      ['-c', settings],
    );
  });

/** Receives the orders of others and their system messages. */
const curious = `
import { followingService } from '${builtForProcess(new URL('../testing/following-service.js', import.meta.url))}';
export default { ...followingService, receive: 'system' };
`;

interface Scene extends Broker {
  readonly supervisor: SpawnedSupervisor;
  readonly rows: (sql: string) => Promise<(string | null)[][]>;
}

const withCuriousHosts = (
  body: (scene: Scene) => Promise<void>,
  more: Readonly<Record<string, string>> = {},
): Promise<void> =>
  withBroker((broker) =>
    withStore((DATABASE_URL) => {
      const env = { DATABASE_URL, NATS_URL: broker.url, SVC_BROADCAST: '1', ...more };
      return withSupervisor({ env, source: curious }, async (supervisor) => {
        await supervisor.until(allRun);
        await body({ ...broker, supervisor, rows: (sql) => rowsOf(DATABASE_URL, sql) });
      });
    }),
  );

const far = new ForeignStore();
const anOrder = (): ReceivedEnvelope => far.event(newUuid(), { messageType: 'OrderCreated' });

function aRecord(): ReceivedEnvelope {
  const text = '{"ok":true}';
  const digest = createHash('sha256').update(`CommandAudited${text}`).digest('hex');
  return far.event(SystemEventStreams.streamId, {
    messageType: 'CommandAudited',
    payload: JSON.parse(text),
    chain: { hash: 'cd'.repeat(32), digest },
  });
}

const send = (raw: RawNats, { subject, body, headers }: Omit<HostileMessage, 'name' | 'why'>): void =>
  raw.publish(subject, body, headers);
const sendOrder = (raw: RawNats, order: ReceivedEnvelope, headers?: string): void =>
  raw.publish('svc.events.OrderCreated', encodeEnvelope(order), headers);

/** The reason of each dead letter, by its content. */
async function reasons(rows: Scene['rows']): Promise<ReadonlyMap<string, string>> {
  const found = await rows(
    `SELECT destination || ' ' || encode(digest, 'hex'), last_error FROM svc_dead_letter_records WHERE source = 'inbox'`,
  );
  return new Map(found.map(([key, error]) => [key ?? '', error ?? '']));
}

const keyOf = ({ subject, body }: HostileMessage): string =>
  `${subject} ${createHash('sha256').update(body).digest('hex')}`;

async function areDead(messages: readonly HostileMessage[], rows: Scene['rows']): Promise<void> {
  const keys = new Set(messages.map(keyOf));
  await until(async () => (await reasons(rows)).size >= keys.size, patience);
  const found = await reasons(rows);
  const otherwise = messages
    .map((message) => ({ ...message, reason: found.get(keyOf(message)) ?? 'not dead' }))
    .filter(({ why, reason }) => !reason.includes(why));
  assert.equal(
    otherwise.map(({ name, reason }) => `${name}: ${reason}`),
    [],
  );
}

test('under svc supervise no process dies of them: each is a dead letter with its reason, and good messages behind them are stored', () =>
  withCuriousHosts(async ({ raw, rows, supervisor }) => {
    const messages = hostileMessages('OrderCreated');
    for (const message of messages) send(raw, message);
    const orders = [...meaninglessHeaders, undefined].map((headers) => {
      const order = anOrder();
      sendOrder(raw, order, headers);
      return order;
    });
    const last = orders.at(-1);
    assert.ok(last);
    const forged = {
      name: 'a position that is taken',
      subject: 'svc.events.OrderCreated',
      body: encodeEnvelope({ ...last, messageId: newUuid() }),
      why: 'place-taken',
    };
    send(raw, forged);
    const record = aRecord();
    raw.publish('svc.core.auditevents', encodeEnvelope(record));
    await raw.flush();
    await until(async () => (await rows('SELECT FROM svc_events')).length >= orders.length, patience);
    await until(async () => (await rows('SELECT FROM svc_received_system_events')).length === 1, patience);
    await areDead([...messages, forged], rows);
    assert.equal(await rows('SELECT count(*) FROM svc_events'), [[String(orders.length)]]);
    assert.equal(await rows('SELECT count(*) FROM svc_origins WHERE origin <> 0'), [['1']]);
    const [sizes] = await rows(
      'SELECT max(length(body)), max(length(headers::text)) FROM svc_dead_letter_records',
    );
    assert.ok(Number(sizes?.[0]) <= 1 << 20 && Number(sizes?.[1]) < 5_000, sizes?.join(' '));
    // A busy machine may keep a host silent for too long. A message that did so would end every host that receives it
    // and be quarantined: its reason, above, would be another.
    const lines = supervisor.output.stdout.join('').split('\n');
    const ended = lines.filter(
      (line) => line.includes('"child"') && !line.includes('its event loop was blocked'),
    );
    assert.equal(ended, []);
  }));

test('a monitor survives them, stores none, and continues', () =>
  withBroker(({ url, raw }) =>
    withStore((DATABASE_URL) =>
      withListening(['monitor', '--url', url, '--port', '0'], { DATABASE_URL }, async (monitor) => {
        const rows = (sql: string) => rowsOf(DATABASE_URL, sql);
        const messages = hostileMessages('OrderCreated').filter(
          ({ subject }) => !subject.startsWith('svc.events.'),
        );
        for (const message of messages) send(raw, message);
        raw.publish('svc.core.auditevents', encodeEnvelope(aRecord()));
        await raw.flush();
        await until(
          async () => (await rows('SELECT FROM svc_received_system_events')).length === 1,
          patience,
        );
        await areDead(messages, rows);
        assert.ok(isAlive(monitor.pid));
        await untilReady(monitor.url, ({ code }) => code === 200);
      }),
    ),
  ));

test('a message that ends host after host is quarantined, and all others are stored', () => {
  const poison = anOrder();
  return withCuriousHosts(
    async ({ raw, rows, supervisor }) => {
      const before = pids(await supervisor.status());
      const orders = Array.from({ length: 20 }, anOrder);
      orders.forEach((order, n) => {
        if (n === 10) sendOrder(raw, poison, `NATS/1.0\r\nNats-Msg-Id: ${poison.messageId}`);
        sendOrder(raw, order);
      });
      await raw.flush();
      await until(async () => (await rows('SELECT FROM svc_events')).length === orders.length, 3 * patience);
      const dead = await rows(
        'SELECT message_id, split_part(last_error, $$:$$, 1) FROM svc_dead_letter_records',
      );
      assert.equal(dead, [[poison.messageId, 'message-quarantined']]);
      const after = await supervisor.until(allRun);
      assert.ok(
        pids(after).some((pid) => !before.includes(pid)),
        'hosts were lost to it',
      );
      assert.equal(await rows('SELECT FROM svc_inbox_attempts'), []);
    },
    { SVC_FAILPOINTS: `inbox-decode-${poison.messageId}` },
  );
});
