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

// Size limits are left to the operator: a limit here would silently drop messages that a subscriber still needs.
const fresh = {
  storage: StorageType.File,
  retention: RetentionPolicy.Limits,
  discard: DiscardPolicy.Old,
  max_age: nanos(messagesKeptMs),
  duplicate_window: nanos(2 * 60_000),
};

/** Creates missing streams; an existing one belongs to the operator and is not changed. */
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
    // When matched against a wider pattern, `*` and `>` are ordinary tokens.
    patterns.every((pattern) => subjects.some((subject) => subjectMatches(subject, pattern))),
  );
  if (holding !== undefined && patterns.length > 0) return holding.name;
  throw new Problem('invalid-setup', {
    detail: `A subscription needs subjects of one stream, svc.events.> or svc.system.> and ${AuditTopic}, not ${patterns.join(', ')}`,
  });
}

/** The result, or undefined when the broker reports not found. */
export async function whenFound<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof NatsError && error.api_error?.code === 404) return undefined;
    throw error;
  }
}
