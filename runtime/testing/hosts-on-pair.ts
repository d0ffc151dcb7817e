import * as assert from 'uvu/assert';
import type { Envelope } from '../../contracts/message.js';
import type { Problem } from '../../contracts/problems.js';
import type { KeyedOutcome } from '../../contracts/unit-store.js';
import { newUuid } from '../../contracts/uuid.js';
import { type DatabaseOptions, openDatabase } from '../database/database.js';
import { runtimeRole } from '../schema/runtime-role.js';
import { PostgresIdempotencyGate } from '../store/postgres-idempotency-gate.js';
import { openPostgresStore } from '../store/postgres-event-store.js';
import { type PostgresPair, withPostgresPair } from './postgres-pair.js';
import { until } from '../kit/until.js';

export const happened = (): Envelope => ({
  messageId: newUuid(),
  messageType: 'Happened',
  payload: {},
  timestamp: new Date().toISOString(),
  v: 1,
});

type Host = ReturnType<typeof hostOn>;

interface Scene {
  readonly pair: PostgresPair;
  host(options?: Partial<DatabaseOptions>): Host;
}

/** Whatever the body does, the primary is lost afterwards: the promoted standby must hold everything acknowledged. */
export function onPair(body: (scene: Scene) => Promise<void>): Promise<void> {
  return withPostgresPair(async (pair) => {
    const hosts: Host[] = [];
    const host: Scene['host'] = (options) => {
      const opened = hostOn(pair.url, options);
      hosts.push(opened);
      return opened;
    };
    await body({ pair, host });
    const acknowledged = hosts.flatMap((each) => each.acknowledged);
    const promoted = openDatabase({ url: await pair.failOver(), role: runtimeRole });
    const stored = await promoted.rows({ text: 'SELECT event_id FROM svc_events' });
    await Promise.all([promoted.close(), ...hosts.map((each) => each.close())]);
    const ids = new Set(stored.map(([id]) => id));
    assert.equal(
      acknowledged.filter((id) => !ids.has(id)),
      [],
      'acknowledged and lost',
    );
  });
}

function hostOn(url: string, options: Partial<DatabaseOptions> = {}) {
  const database = openDatabase({ url, role: runtimeRole, ...options });
  const store = openPostgresStore(database, { host: 'test' });
  const gate = new PostgresIdempotencyGate(database, 'store');
  const acknowledged: string[] = [];
  const refused: string[] = [];
  const note = (id: string) => () => void acknowledged.push(id);
  const streamId = newUuid();
  return {
    acknowledged,
    refused,
    append: (envelope: Envelope, keyed = true): void => {
      const events = [{ streamId, envelope, occurredAt: undefined }];
      const unit = { events, records: [], expected: new Map() };
      store
        .commit(keyed ? { ...unit, outcome: outcomeOf(envelope) } : unit)
        .then(note(envelope.messageId), (problem: Problem) => void refused.push(problem.code));
    },
    claim: (envelope: Envelope): void => {
      const { key, fingerprint } = outcomeOf(envelope);
      gate.claim(key, fingerprint).then(
        ({ is }) => is === 'replay' && note(envelope.messageId)(),
        () => undefined,
      );
    },
    close: async (): Promise<void> => {
      await Promise.all([store.close(), gate.close()]);
      await database.close();
    },
  };
}

const outcomeOf = ({ messageId }: Envelope): KeyedOutcome => ({
  key: Buffer.from(messageId.replaceAll('-', ''), 'hex'),
  fingerprint: Buffer.alloc(32, 1),
  status: 200,
  body: '{}',
});

/** One commit with the standby, then one without; returns the process that waits for it. */
export async function waitingWithoutStandby(
  pair: PostgresPair,
  append: Host['append'],
  event = happened(),
): Promise<number> {
  append(happened());
  await until(async () => {
    const [row] = await pair.admin('SELECT count(*)::int AS n FROM svc_events');
    return Number(row?.['n']) > 0;
  });
  await pair.stopStandby();
  append(event);
  let pid: number | undefined;
  await until(async () => (pid = (await pair.waiting())[0]) !== undefined);
  return pid ?? 0;
}

export async function isVisible(pair: PostgresPair, { messageId }: Envelope): Promise<boolean> {
  return (await pair.admin('SELECT 1 FROM svc_events WHERE event_id = $1', [messageId])).length > 0;
}
