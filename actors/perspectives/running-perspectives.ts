import { type Perspective, RebuildMode } from '../../contracts/perspective.js';
import type { Long } from '../../contracts/scalars.js';
import type { SystemMessage } from '../../contracts/system-messages.js';
import { newUuid } from '../../contracts/uuid.js';
import { forFollowers } from '../../runtime/database/for-followers.js';
import { Notifications, type NotificationSource } from '../../runtime/database/notifications.js';
import { sqlFailureOf } from '../../runtime/database/sql-error.js';
import type { StoreConnection } from '../../runtime/service/store-connection.js';
import { log } from '../../runtime/log.js';
import { thrownMessage } from '../../runtime/thrown.js';
import { createPerspectiveTables, notMade } from '../../runtime/perspectives/create-tables.js';
import type { FoldThreads } from '../../runtime/perspectives/fold-thread.js';
import { logTailOf } from '../../runtime/service/log-tail-of.js';
import { isParkedBetween, releaseParked } from '../../runtime/perspectives/parked-rows.js';
import {
  type PerspectiveLeases,
  type PerspectiveLease,
  postgresLeases,
} from '../../runtime/perspectives/perspective-leases.js';
import type {
  PerspectiveState,
  RebuildOptions,
  Rebuilt,
  ServicePerspectives,
} from '../../runtime/perspectives/service-perspectives.js';
import type { ServiceParts } from '../../runtime/service/service.js';
import type { BatchOutcome } from '../../runtime/migrations/run-batch.js';
import { finishMigrationReplays } from './finish-migration-replays.js';
import { CursorWaiters, cursorsOf } from './cursor-waiters.js';
import { leaseDefaults, type LeaseSettings } from './hold-perspective-leases.js';
import { PerspectiveRebuilds } from './perspective-rebuilds.js';
import { type PerspectiveRunner, startingState } from './perspective-runner.js';
import type { RunnerSettings } from './perspective-runner-machine.js';
import { type Registered, RegisteredPerspectives } from './registered-perspectives.js';
import { createRunner } from './create-runner.js';
import { PerspectiveLeaseKeeper } from './perspective-lease-keeper.js';
import type { ChildStatus } from '../supervisor/child.js';
import { Supervisor } from '../supervisor/supervisor.js';

export interface PerspectivesOptions extends Partial<RunnerSettings>, Partial<LeaseSettings> {
  /** Shared with other parts of the host; without one, the perspectives open a connection of their own. */
  readonly notifications?: NotificationSource;
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
  readonly #owner = newUuid();
  readonly #registered = new RegisteredPerspectives();
  readonly #cursorWaiters: CursorWaiters;
  readonly #rebuilds: PerspectiveRebuilds;
  #starting: Promise<void> = Promise.resolve();
  readonly #supervisor = new Supervisor();
  #leaseKeeper: PerspectiveLeaseKeeper | undefined;
  #leaseRows: PerspectiveLeases | undefined;
  #leaseFailure: string | undefined;
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

  add(perspectives: readonly Perspective<unknown>[]): void {
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

  get declared(): readonly Perspective<unknown>[] {
    return this.#registered.all.map(({ perspective }) => perspective);
  }

  /** Why the leases could not be renewed, until they are. */
  get leaseFailure(): string | undefined {
    return this.#leaseFailure;
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
    // If the store does not answer, the leases expire.
    await this.#leaseRows?.release(this.#registered.runners.map(({ table }) => table)).catch(() => undefined);
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
        return await this.#startLeaseKeeper(connection);
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
    const isSensitive = (type: string): boolean => parts.policy.isSensitive(type);
    return createRunner(
      { perspective, table, isSensitive },
      {
        ...{ service: parts, database, tail, options, owner: this.#owner },
        report: (message) => this.#report(message),
        requestRebuild: (rules) => void this.#rebuilds.rebuildAfterLateEvent(rules),
        askForLease: () => this.#leaseKeeper?.requestLeases(),
        moved: (moved, position) => this.#cursorWaiters.moved(moved, position),
      },
    );
  }

  async #startLeaseKeeper({ database }: StoreConnection): Promise<void> {
    if (this.#leaseKeeper !== undefined || this.#stopping !== undefined) return;
    const rows = (this.#leaseRows = postgresLeases(database, this.#owner));
    this.#leaseKeeper = new PerspectiveLeaseKeeper({
      notifications: this.options.notifications ?? new Notifications(database),
      wake: () => {
        for (const runner of this.#registered.runners) runner.send({ type: 'wake' });
      },
      leases: {
        ...leaseDefaults,
        ...this.options,
        rows,
        tables: () => this.#registered.runners.map(({ table }) => table),
        onRenewed: (leases) => this.#leasesRenewed(leases),
        onFailed: (error) => (this.#leaseFailure = thrownMessage(error)),
      },
    });
    await this.#supervisor.start(this.#leaseKeeper);
  }

  #leasesRenewed(leases: readonly PerspectiveLease[]): void {
    this.#leaseFailure = undefined;
    for (const runner of this.#registered.runners)
      for (const lease of leases) if (lease.table === runner.table) runner.leaseRenewed(lease);
    if (!this.#rebuilds.isAnyOpen && !leases.some(({ rebuilding }) => rebuilding)) return;
    const isHeld = (table: string) => leases.some((lease) => lease.table === table && lease.held);
    this.#rebuilds
      .adoptOpen(this.#registered.all, isHeld)
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
