import type { Pool, PoolClient } from 'pg';
import { Problem } from '../../contracts/problems.js';
import { ConnectionQueue, type QueueClass } from './connection-queue.js';
import type { PrimaryFinder } from './primary-finder.js';
import { sqlFailureOf } from './sql-error.js';

/** Runs once on every connection before its first use. */
type InitializeClient = (client: PoolClient) => Promise<void>;

/** A connection in use. */
export interface LeasedClient {
  readonly client: PoolClient;
  /** Returns it to the pool; a broken one is closed. */
  readonly release: (broken?: boolean) => void;
}

/** The connections of a pool, each initialized before it is handed out. */
export class PooledClients {
  readonly #initialized = new WeakMap<PoolClient, object>();
  /** Identifies a set of connections; a server that became read-only ends all of one. */
  #generation = {};
  #changes = 0;
  readonly #queue: ConnectionQueue;

  constructor(
    private readonly pool: Pool,
    private readonly initialize: InitializeClient,
    private readonly onError: (error: Error) => void,
    /** Set if there are several servers. */
    private readonly finder?: Pick<PrimaryFinder, 'current' | 'search'>,
  ) {
    this.#queue = new ConnectionQueue(pool.options.max);
    // Without a listener, losing an idle connection would end the process.
    pool.on('error', (error) => this.lost(error));
    // A connection that is lost before its first use has no other listener: the server may end it immediately.
    pool.on('connect', (client) => client.on('error', () => undefined));
  }

  /** How often a connection was opened or lost. */
  get changes(): number {
    return this.#changes;
  }

  lost(error: Error): void {
    this.#changes++;
    this.onError(error);
  }

  /** A statement on one of them failed. */
  failed(error: unknown): void {
    const failure = sqlFailureOf(error);
    if (failure === 'read-only') this.#generation = {};
    if (failure === 'read-only' || failure === 'lost') this.#changes++;
  }

  async acquire(of: QueueClass, signal?: AbortSignal): Promise<LeasedClient> {
    await this.#queue.enter(of, signal);
    try {
      const client = await this.#connected();
      return {
        client,
        release: (broken = false) => {
          client.release(broken);
          this.#queue.leave();
        },
      };
    } catch (error) {
      this.#queue.leave();
      throw error;
    }
  }

  /** With several servers, the one that accepts writes is looked for when the known one does not. */
  async #connected(): Promise<PoolClient> {
    if (this.finder === undefined) return this.#acquire(3);
    const tried = this.finder.current;
    try {
      return await this.#acquire(3);
    } catch (error) {
      if (isAboutSetup(error) || !(await this.finder.search(tried))) throw error;
      // Those that are idle lead to the server before.
      this.#generation = {};
      return this.#acquire(3);
    }
  }

  async #acquire(tries: number): Promise<PoolClient> {
    const client = await this.pool.connect();
    const since = this.#initialized.get(client);
    if (since === this.#generation) return client;
    if (since !== undefined) {
      client.release(true);
      return this.#acquire(tries);
    }
    try {
      this.#changes++;
      await this.initialize(client);
      this.#initialized.set(client, this.#generation);
      return client;
    } catch (error) {
      client.release(true);
      // One connection that is lost right after it was opened says nothing about the server.
      const isOver = tries === 1 || error instanceof Problem || sqlFailureOf(error) !== 'lost';
      if (isOver) throw error;
      return this.#acquire(tries - 1);
    }
  }
}

/** Every server would be refused for the same reason. */
const isAboutSetup = (error: unknown): boolean => error instanceof Problem && error.code === 'invalid-setup';
