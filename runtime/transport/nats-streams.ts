import {
  DiscardPolicy,
  type JetStreamManager,
  type NatsConnection,
  NatsError,
  nanos,
  RetentionPolicy,
  StorageType,
} from 'nats';
import { AuditTopic } from '../../contracts/audit.js';
import { Problem } from '../../contracts/problems.js';
import { subjectMatches } from './subjects.js';

const answerMs = 3_000;
export const messagesKeptMs = 7 * 24 * 3_600_000;

const streams = [
  { name: 'SVC_EVENTS', subjects: ['svc.events.>'] },
  { name: 'SVC_SYSTEM', subjects: ['svc.system.>', AuditTopic] },
] as const;

// How large a stream may grow is for the operator: a limit here would silently drop what a subscriber still wants.
const fresh = {
  storage: StorageType.File,
  retention: RetentionPolicy.Limits,
  discard: DiscardPolicy.Old,
  max_age: nanos(messagesKeptMs),
  duplicate_window: nanos(2 * 60_000),
};

/** Makes the streams that are missing; one that exists is the operator's and stays as it is. */
export async function ensureStreams(connection: NatsConnection): Promise<void> {
  const manager = await managerOf(connection);
  for (const { name, subjects } of streams) {
    if ((await whenFound(manager.streams.info(name))) !== undefined) continue;
    await manager.streams.add({ ...fresh, name, subjects: [...subjects] });
  }
}

export async function managerOf(connection: NatsConnection): Promise<JetStreamManager> {
  try {
    return await connection.jetstreamManager({ timeout: answerMs });
  } catch (cause) {
    if (!(cause instanceof NatsError) || cause.code !== '503') throw cause;
    throw new Problem('invalid-setup', { detail: 'NATS has no JetStream: start it with -js', cause });
  }
}

/** The stream that holds all of these subjects. */
export function streamOf(patterns: readonly string[]): string {
  const holding = streams.find(({ subjects }) =>
    // To a wider pattern `*` and `>` are tokens like any other.
    patterns.every((pattern) => subjects.some((subject) => subjectMatches(subject, pattern))),
  );
  if (holding !== undefined && patterns.length > 0) return holding.name;
  throw new Problem('invalid-setup', {
    detail: `A subscription wants subjects of one stream, svc.events.> or svc.system.> and ${AuditTopic}, not ${patterns.join(', ')}`,
  });
}

/** What the answer is, or undefined where the broker knows no such thing. */
export async function whenFound<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof NatsError && error.api_error?.code === 404) return undefined;
    throw error;
  }
}
