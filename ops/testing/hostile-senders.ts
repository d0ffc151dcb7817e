import { createHash } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { newUuid } from '../../contracts/uuid.js';
import { encodeEnvelope } from '../../runtime/envelope/envelope-codec.js';
import { withFolder } from '../../runtime/kit/temporary-folder.js';
import type { ReceivedEnvelope } from '../../runtime/inbox/read-envelope.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { ForeignStore } from '../../runtime/testing/foreign-events.js';
import { type HostileMessage } from '../../runtime/testing/hostile-messages.js';
import { withNatsServer } from '../../runtime/testing/nats-server.js';
import { RawNats } from '../../runtime/testing/raw-nats.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { until } from '../../runtime/kit/until.js';
import { allRun, withSupervisor, type SpawnedSupervisor } from './spawned-supervisor.js';
import { builtForProcess } from '../../runtime/testing/process-root.js';

export const patience = 300_000;

interface Broker {
  readonly url: string;
  readonly raw: RawNats;
}

/** A separate one, which accepts larger messages. */
export const withBroker = (body: (broker: Broker) => Promise<void>): Promise<void> =>
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
import { followingService } from '${builtForProcess(new URL('./following-service.js', import.meta.url))}';
export default { ...followingService, receive: 'system' };
`;

interface Scene extends Broker {
  readonly supervisor: SpawnedSupervisor;
  readonly rows: (sql: string) => Promise<(string | null)[][]>;
}

export const withCuriousHosts = (
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

export const anOrder = (): ReceivedEnvelope => far.event(newUuid(), { messageType: 'OrderCreated' });

export const aRecord = (): ReceivedEnvelope => far.record('CommandAudited', '{"ok":true}');

export const send = (raw: RawNats, { subject, body, headers }: Omit<HostileMessage, 'name' | 'why'>): void =>
  raw.publish(subject, body, headers);

export const sendOrder = (raw: RawNats, order: ReceivedEnvelope, headers?: string): void =>
  raw.publish('svc.events.OrderCreated', encodeEnvelope(order), headers);

/** The reason of each dead letter, by its content. */
async function reasons(rows: Scene['rows']): Promise<ReadonlyMap<string, string>> {
  const found = await rows(`SELECT key, error FROM svc_stuck_work WHERE follower = 'inbox'`);
  return new Map(found.map(([key, error]) => [key ?? '', error ?? '']));
}

const keyOf = ({ subject, body }: HostileMessage): string =>
  `${subject} ${createHash('sha256').update(body).digest('hex')}`;

export async function areDead(messages: readonly HostileMessage[], rows: Scene['rows']): Promise<void> {
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
