import {
  DiscardPolicy,
  type JetStreamManager,
  type NatsConnection,
  NatsError,
  nanos,
  RetentionPolicy,
  StorageType,
  type StreamConfig,
  type StreamInfo,
} from 'nats';
import { Problem } from '../../contracts/problems.js';
import type { NatsNames } from './nats-names.js';

const answerMs = 3_000;
export const messagesKeptMs = 7 * 24 * 3_600_000;
/** How long the broker drops what is published again; after that, receivers do. */
export const duplicateWindowMs = 2 * 60_000;

// Size limits are left to the operator: a limit here would silently drop messages that a subscriber still needs.
const fresh = {
  storage: StorageType.File,
  retention: RetentionPolicy.Limits,
  discard: DiscardPolicy.Old,
  max_age: nanos(messagesKeptMs),
  duplicate_window: nanos(duplicateWindowMs),
};

/** One of our streams, as it was found. */
export interface StreamState {
  readonly name: string;
  /** Why it cannot be used. */
  readonly failure?: unknown;
  /** What is wrong with it, on one line with a remedy. */
  readonly fault?: string | undefined;
}

const wantedReplicas = 3;
/** One that is only behind is not reported. */
const silentMs = 5_000;

/** Creates missing streams; an existing one belongs to the operator and is not changed. Rejects if none can be used. */
export async function ensureStreams(
  connection: NatsConnection,
  names: NatsNames,
): Promise<readonly StreamState[]> {
  const manager = await managerOf(connection);
  const isCluster = connection.info?.cluster !== undefined;
  const states = await Promise.all(
    names.streams.map(({ name }) =>
      ensureStream(manager, name, names, isCluster).then(
        (info): StreamState => ({ name, fault: isCluster ? faultOf(info) : undefined }),
        (failure: unknown): StreamState => ({ name, failure, fault: `The stream ${name} cannot be used.` }),
      ),
    ),
  );
  if (states.every(({ failure }) => failure !== undefined)) throw states[0]?.failure;
  return states;
}

/** One stream must not wait for another that is broken. */
export async function ensureStreamOf(
  connection: NatsConnection,
  name: string,
  names: NatsNames,
): Promise<void> {
  await ensureStream(await managerOf(connection), name, names, connection.info?.cluster !== undefined);
}

async function ensureStream(
  manager: JetStreamManager,
  name: string,
  names: NatsNames,
  isCluster: boolean,
): Promise<StreamInfo> {
  const found = await whenFound(manager.streams.info(name));
  if (found?.config.description === provisional && isCluster) return withReplicas(manager, found);
  if (found !== undefined) return found;
  const subjects = [...(names.streams.find((stream) => stream.name === name)?.subjects ?? [])];
  const add = (config: Partial<StreamConfig>) => manager.streams.add({ ...fresh, name, subjects, ...config });
  if (!isCluster) return add({ num_replicas: 1 });
  return add({ num_replicas: wantedReplicas }).catch((error: unknown) => {
    if (!isTooFewServers(error)) throw error;
    return add({ num_replicas: 1, description: provisional });
  });
}

/** A cluster that is starting has fewer servers: what was created then is completed later. */
const provisional = 'svc: one replica until the cluster has three servers';

const withReplicas = (manager: JetStreamManager, found: StreamInfo): Promise<StreamInfo> =>
  manager.streams
    .update(found.config.name, { num_replicas: wantedReplicas, description: '' })
    .catch((error: unknown) => {
      if (isTooFewServers(error)) return found;
      throw error;
    });

const isTooFewServers = (error: unknown): boolean =>
  error instanceof NatsError && tooFewServers.includes(error.api_error?.err_code ?? 0);

/** Insufficient resources; replicas are not supported. */
const tooFewServers = [10_005, 10_074];

/** In a cluster, a stream that is on one server is lost with it. */
export function faultOf({ config, cluster }: Pick<StreamInfo, 'config' | 'cluster'>): string | undefined {
  const { name, num_replicas: replicas } = config;
  if (replicas < wantedReplicas)
    return `The stream ${name} is on ${replicas} server${replicas === 1 ? '' : 's'} of the cluster, not ${wantedReplicas}: run nats stream edit ${name} --replicas ${wantedReplicas}.`;
  const away = (cluster?.replicas ?? []).filter(
    ({ offline, current, active }) => offline || (!current && active > nanos(silentMs)),
  );
  return away.length === 0
    ? undefined
    : `The stream ${name} misses ${away.map((peer) => peer.name).join(', ')}: start it again.`;
}

export async function managerOf(connection: NatsConnection): Promise<JetStreamManager> {
  try {
    return await connection.jetstreamManager({ timeout: answerMs });
  } catch (cause) {
    if (!(cause instanceof NatsError) || cause.code !== '503') throw cause;
    throw new Problem('invalid-setup', { detail: 'NATS has no JetStream: start it with -js', cause });
  }
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
