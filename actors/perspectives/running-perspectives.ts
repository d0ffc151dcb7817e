import { type AnyPerspective, RebuildMode } from '../../contracts/perspective.js';
import type { Long } from '../../contracts/scalars.js';
import type { SystemMessage } from '../../contracts/system-messages.js';
import { forFollowers } from '../../runtime/database/for-followers.js';
import { sqlFailureOf } from '../../runtime/database/sql-error.js';
import type { StoreConnection } from '../../runtime/service/store-connection.js';
import { log } from '../../runtime/logging/log.js';
import { createPerspectiveTables, notMade } from '../../runtime/perspectives/tables/create-tables.js';
import type { FoldThreads } from '../../runtime/perspectives/rebuild/fold-thread.js';
import { logTailOf } from '../../runtime/service/log-tail-of.js';
import { isParkedBetween, releaseParked } from '../../runtime/perspectives/parked/parked-rows.js';
import { type HostTurn, leaseDefaults } from '../../runtime/leases/host-leases.js';
import { type LeaseOptions, leasesOf } from '../../runtime/service/leases-of.js';
import type {
  PerspectiveState,
  RebuildOptions,
  Rebuilt,
  ServicePerspectives,
} from '../../runtime/perspectives/service-perspectives.js';
import { PostgresPerspectiveStore } from '../../runtime/perspectives/postgres-perspective-store.js';
import type { ServiceParts } from '../../runtime/service/service.js';
import type { BatchOutcome } from '../../runtime/migrations/run-batch.js';
import { finishMigrationReplays } from './finish-migration-replays.js';
import { CursorWaiters, cursorsOf } from './cursor-waiters.js';
import { PerspectiveRebuilds } from './perspective-rebuilds.js';
import {
  PerspectiveRunner,
  runnerDefaults,
  type RunnerSettings,
  startingState,
} from './perspective-runner.js';
import type { PerspectiveWork } from './perspective-work.js';
import { type Registered, RegisteredPerspectives } from './registered-perspectives.js';
import { Followers } from '../follow/followers.js';
import type { ChildStatus } from '../supervisor/child.js';
import { Supervisor } from '../supervisor/supervisor.js';

export interface PerspectivesOptions extends Partial<RunnerSettings>, LeaseOptions {
  /** How other threads load the same perspectives, so that a long rebuild uses all cores. */
  readonly threads?: FoldThreads;
}

const retryStartMs = 1_000;
/**
 * A rebuild lease outlasts the runner's lease: by then another host runs the perspective and can continue the
 * rebuild.
 */
const rebuildLeaseFactor = 2.5;

/** The perspectives of one host. */
export class RunningPerspectives implements ServicePerspectives {
  readonly #registered = new RegisteredPerspectives();
  readonly #cursorWaiters: CursorWaiters;
  readonly #rebuilds: PerspectiveRebuilds;
  #starting: Promise<void> = Promise.resolve();
  readonly #supervisor = new Supervisor();
  #followers: Followers<PerspectiveWork> | undefined;
  #stopping: Promise<void> | undefined;
  readonly #replays = new AbortController();
  readonly #replaying: Promise<void>[] = [];

  constructor(
    private readonly parts: ServiceParts,
    private readonly connect: () => Promise<StoreConnection>,
    private readonly options: PerspectivesOptions,
  ) {
    const leaseMs = rebuildLeaseFactor * (options.leaseMs ?? leaseDefaults.leaseMs);
    const report = (message: SystemMessage) => this.#report(message);
    this.#rebuilds = new PerspectiveRebuilds({ parts, connect, report, leaseMs, threads: options.threads });
    this.#cursorWaiters = new CursorWaiters(cursorsOf(connect));
  }

  add(perspectives: readonly AnyPerspective[]): void {
    const added = this.#registered.add(perspectives);
    if (added.length === 0) return;
    this.#starting = this.#starting.then(() => this.#startAll(added));
    this.#starting.catch((err: unknown) => log.error({ err }, 'the perspectives cannot be started'));
  }

  get started(): Promise<void> {
    return this.#starting;
  }

  /** The runners, and what they share. */
  get tree(): readonly ChildStatus[] {
    return this.#supervisor.tree;
  }

  /** Resolves when all have stopped, with the failure if one crashed too often. */
  get ended(): Promise<unknown> {
    return this.#supervisor.ended;
  }

  get declared(): readonly AnyPerspective[] {
    return this.#registered.all.map(({ perspective }) => perspective);
  }

  list(): readonly PerspectiveState[] {
    return this.#registered.all.map(({ runner, table }) => {
      const state = runner?.state ?? startingState(table.name);
      const rebuild = this.#rebuilds.progressOf(table.table);
      return rebuild === undefined ? state : { ...state, state: 'rebuilding', rebuild };
    });
  }

  async caughtUp(name: string, position: Long, signal?: AbortSignal): Promise<void> {
    const { table, runner } = this.#registered.named(name);
    if ((runner?.state.position ?? -1) < position)
      await this.#cursorWaiters.wait(table.table, position, signal);
    await runner?.roundEnded(position);
  }

  async release(name: string, key?: string): Promise<number> {
    const { table } = this.#registered.named(name);
    const { database } = await this.connect();
    return releaseParked(database, table.table, key);
  }

  /** Asks the store only for perspectives that other hosts run. */
  async isParked(from: Long, to: Long): Promise<boolean> {
    const doubtful = this.#registered.all.filter(({ runner }) => runner?.hasParked !== false);
    if (doubtful.length === 0) return false;
    const { database } = await this.connect();
    return isParkedBetween(database, doubtful, this.parts.unitStore?.upcasters, { from, to });
  }

  async rebuild(name: string, options: RebuildOptions): Promise<Rebuilt> {
    const registered = this.#registered.named(name);
    await this.#starting;
    return this.#rebuilds.rebuild(registered, options);
  }

  stop(): Promise<void> {
    return (this.#stopping ??= this.#stop());
  }

  async #stop(): Promise<void> {
    this.#replays.abort();
    await this.#rebuilds.stop();
    await Promise.all(this.#replaying);
    await this.#starting.catch(() => undefined);
    await this.#supervisor.stop().catch(() => undefined);
    await this.#followers?.stop();
  }

  /** Retries while the database is unavailable. */
  async #startAll(added: readonly Registered[]): Promise<void> {
    while (this.#stopping === undefined) {
      try {
        const connection = await this.connect();
        const batch = await this.#migrate(added, connection);
        for (const registered of added) {
          if (this.#stopping !== undefined) return;
          registered.runner = this.#createRunner(registered, connection);
          await this.#supervisor.start(registered.runner);
        }
        if (batch !== undefined) this.#replaying.push(this.#finishReplays(batch, connection));
        return this.#followers?.join();
      } catch (err) {
        if (sqlFailureOf(err) !== 'unsent') throw notMade(err);
        log.warn({ err }, 'the perspectives could not be started; retrying');
        await new Promise((resolve) => setTimeout(resolve, retryStartMs));
      }
    }
  }

  /** Creates a dropped table again. */
  async #migrate(
    added: readonly Registered[],
    connection: StoreConnection,
  ): Promise<BatchOutcome | undefined> {
    const batch = await connection.migratePerspectives?.(added.map(({ perspective }) => perspective));
    const tables = added.map(({ table }) => table);
    await connection.asOwner((owner) => createPerspectiveTables(owner, tables));
    return batch;
  }

  #finishReplays(batch: BatchOutcome, connection: StoreConnection): Promise<void> {
    const { parts } = this;
    const rebuild = (name: string) => this.rebuild(name, { mode: RebuildMode.BlueGreen });
    return finishMigrationReplays(batch, { parts, connection, rebuild, signal: this.#replays.signal });
  }

  #createRunner({ perspective, table }: Registered, connection: StoreConnection): PerspectiveRunner {
    const { parts, options } = this;
    const database = forFollowers(connection.database);
    const tail = logTailOf(parts, database);
    tail.take(perspective);
    const rules = { perspective, table, isSensitive: (type: string) => parts.policy.isSensitive(type) };
    const { owner } = leasesOf(parts, connection.database, options);
    const { unitStore, freezesEvents: freezes } = parts;
    const reading = { database, upcasters: unitStore?.upcasters, freezes, tail };
    return new PerspectiveRunner({
      ports: {
        ...rules,
        store: new PostgresPerspectiveStore({ ...rules, ...reading, owner }),
        report: (message) => this.#report(message),
        emit: ({ id, message }) => parts.emitter.emit(message, undefined, id),
        rebuild: () => void this.#rebuilds.rebuildAfterLateEvent(rules),
      },
      settings: { ...runnerDefaults, ...options },
      followers: this.#followersOf(connection),
      moved: (moved, position) => this.#cursorWaiters.moved(moved, position),
    });
  }

  #followersOf({ database }: StoreConnection): Followers<PerspectiveWork> {
    return (this.#followers ??= new Followers(leasesOf(this.parts, database, this.options), {
      tables: () => this.#registered.runners.map(({ table }) => table),
      answered: (turn) => this.#answered(turn),
    }));
  }

  #answered({ perspectives, held }: HostTurn): void {
    for (const runner of this.#registered.runners)
      for (const standing of perspectives)
        if (standing.table === runner.table) runner.noteStanding(standing, held.has(runner.table));
    if (!this.#rebuilds.isAnyOpen && !perspectives.some(({ rebuilding }) => rebuilding)) return;
    this.#rebuilds
      .adoptOpen(this.#registered.all, (table) => held.has(table))
      .catch((err: unknown) => log.warn({ err }, 'the rebuilds could not be looked up'));
  }

  #report(message: SystemMessage): void {
    this.parts.emitter
      .emit(message)
      .catch((err: unknown) =>
        log.error({ err, type: message.constructor.name }, 'a failure could not be recorded'),
      );
  }
}
