import { setTimeout as delay } from 'node:timers/promises';
import { connect, type ConnectionOptions, type NatsConnection } from 'nats';
import { Problem } from '../../contracts/problems.js';
import type { MessageFormat } from '../../contracts/transport.js';
import { log } from '../logging/log.js';
import type { SignMessage } from '../trust/signed-message.js';
import { type NatsCredentials, proofOf } from './nats-credentials.js';
import { reasonOf } from './nats-failure-reason.js';
import { NatsNames } from './nats-names.js';
import type { Packing } from './pack-nats-message.js';
import { NatsSession } from './nats-publishing-session.js';
import { type NatsServers, natsServersOf } from './nats-servers.js';
import { ensureStreams } from './nats-streams.js';

export interface NatsOptions {
  readonly url: string;
  /** The name of the connection at the broker. */
  readonly name: string;
  /** Used before those in the URL. */
  readonly credentials?: NatsCredentials;
  /** How messages are published. */
  readonly format?: MessageFormat;
  /** Signs domain messages one by one. */
  readonly sign?: SignMessage | undefined;
  /** Of the store; default: `svc`. */
  readonly namespace?: string | undefined;
  /** The name of the service, which every message carries. */
  readonly service?: string | undefined;
}

const minPauseMs = 200;
const maxPauseMs = 1_000;
const connectMs = 2_000;
const maxReasons = 10;
const watchStreamsMs = 5_000;
/** A frozen broker is noticed after three missed pings. */
const pingIntervalMs = 700;

/** Keeps one session at a time open until it is closed; host and broker may start in any order. */
export class NatsLink {
  #session: NatsSession | undefined;
  readonly names: NatsNames;
  readonly #waiting = new Set<(session: NatsSession) => void>();
  readonly #closing = new AbortController();
  readonly #running: Promise<void>;
  readonly #options: ConnectionOptions;
  readonly #proof: () => Promise<ConnectionOptions>;
  readonly #given: readonly string[];
  readonly #address: string;
  readonly #packing: Packing;
  #reportedState: 'connected' | 'lost' | undefined;
  /** Each reason is logged once until the broker is back. */
  readonly #reasons = new Set<string>();
  #faults = new Set<string>();

  constructor({ url, name, credentials = {}, format, sign, service, namespace }: NatsOptions) {
    this.names = new NatsNames(namespace);
    const { isTls, hosts, ...login } = serversIn(url);
    this.#given = hosts;
    this.#options = optionsFor(hosts, name);
    this.#proof = () => proofOf({ ...credentialsIn(login), ...credentials }, isTls);
    this.#address = hosts.join(',');
    this.#packing = { format, sign, service };
    this.#running = this.#run();
  }

  /** The current session, with its streams in place. */
  get session(): NatsSession | undefined {
    return this.#session?.isOver === false ? this.#session : undefined;
  }

  /** The current session, or the next one; rejects when the signal aborts first. */
  next(signal: AbortSignal): Promise<NatsSession> {
    if (this.session !== undefined) return Promise.resolve(this.session);
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#waiting.delete(arrived);
        reject(signal.reason as Error);
      };
      const arrived = (session: NatsSession) => {
        signal.removeEventListener('abort', leave);
        resolve(session);
      };
      if (signal.aborted) return leave();
      signal.addEventListener('abort', leave, { once: true });
      this.#waiting.add(arrived);
    });
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#session?.end();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    for (let failures = 0; !signal.aborted;) {
      const session = await this.#open().catch((error: unknown) => this.#reportState('lost', error));
      if (session instanceof NatsSession) {
        failures = 0;
        await session.ended;
        if (!signal.aborted) this.#reportState('lost', session.failure);
      } else failures++;
      await delay(pauseMs(failures, Math.random()), undefined, { signal }).catch(() => undefined);
    }
  }

  async #open(): Promise<NatsSession> {
    const connection = await connect({ ...this.#options, ...(await this.#proof()) });
    const streams = await ensureStreams(connection, this.names).catch(async (error: unknown) => {
      await connection.close();
      throw error;
    });
    const session = new NatsSession(connection, { ...this.#packing, names: this.names }, streams);
    void this.#watchStreams(session);
    this.#session = session;
    if (this.#closing.signal.aborted) session.end();
    this.#remember(connection);
    this.#reportState('connected');
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const arrived of waiting) arrived(session);
    return session;
  }

  /** Streams of a cluster may lose servers, and broken ones may come back. */
  async #watchStreams(session: NatsSession): Promise<void> {
    const { connection } = session;
    const { signal } = this.#closing;
    const isWatched = () =>
      connection.info?.cluster !== undefined || session.streams.some(({ fault }) => fault !== undefined);
    this.#reportFaults(session);
    while (isWatched() && !session.isOver && !signal.aborted) {
      await delay(watchStreamsMs, undefined, { signal, ref: false }).catch(() => undefined);
      const states = session.isOver
        ? undefined
        : await ensureStreams(connection, this.names).catch(() => undefined);
      if (states === undefined) continue;
      session.streams = states;
      this.#reportFaults(session);
    }
  }

  /** Each is logged once while it lasts. */
  #reportFaults({ streams }: NatsSession): void {
    const now = streams.flatMap(({ fault, failure }) => (fault === undefined ? [] : [{ fault, failure }]));
    for (const { fault, failure } of now) {
      if (this.#faults.has(fault)) continue;
      const reason = failure === undefined ? undefined : reasonOf(failure);
      log.warn({ nats: this.#address, reason }, fault);
    }
    this.#faults = new Set(now.map(({ fault }) => fault));
  }

  /** A cluster announces its other servers; they are tried when the known one is down. */
  #remember({ info }: NatsConnection): void {
    const learned = (info?.connect_urls ?? []).filter((other) => !this.#given.includes(other));
    this.#options.servers = [...this.#given, ...learned];
  }

  #reportState(now: 'connected' | 'lost', error?: unknown): void {
    if (this.#closing.signal.aborted) return;
    const isNew = this.#reportedState !== now;
    this.#reportedState = now;
    const where = { nats: this.#address };
    if (now === 'connected') {
      this.#reasons.clear();
      if (isNew) log.info(where, 'connected to NATS');
      return;
    }
    const reason = error === undefined ? undefined : reasonOf(error);
    const isNewReason = reason !== undefined && !this.#reasons.has(reason) && this.#reasons.size < maxReasons;
    if (isNewReason) this.#reasons.add(reason);
    if (isNew || isNewReason)
      log.warn({ ...where, reason }, 'NATS cannot be used; messages wait until it can');
  }
}

/** One connection, without the streams. */
export async function connectOnce({ url, name, credentials = {} }: NatsOptions): Promise<NatsConnection> {
  const { isTls, hosts, ...login } = serversIn(url);
  const proof = await proofOf({ ...credentialsIn(login), ...credentials }, isTls);
  return connect({ ...optionsFor(hosts, name), ...proof });
}

function serversIn(url: string): NatsServers {
  const servers = natsServersOf(url);
  if (servers !== undefined) return servers;
  throw new Problem('invalid-setup', { detail: 'The URL of NATS must be such as nats://localhost:4222' });
}

/** A user without a password is a token. */
function credentialsIn({ username, password }: Pick<NatsServers, 'username' | 'password'>): NatsCredentials {
  const user = decodeURIComponent(username);
  if (user === '') return {};
  return password === '' ? { token: user } : { user, password: decodeURIComponent(password) };
}

function optionsFor(hosts: readonly string[], name: string): ConnectionOptions {
  return {
    servers: [...hosts],
    name,
    // Every connection is a new session: leftovers of an old one must not arrive after messages of a new one.
    reconnect: false,
    noRandomize: true,
    timeout: connectMs,
    pingInterval: pingIntervalMs,
    maxPingOut: 2,
  };
}

const pauseMs = (failures: number, random: number): number =>
  minPauseMs / 2 + random * Math.min(maxPauseMs, minPauseMs * 2 ** failures);
