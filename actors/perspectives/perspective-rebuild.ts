import { createActor, waitFor } from 'xstate';
import { PerspectiveFailed } from '../../contracts/events/error.js';
import { Problem } from '../../contracts/problems.js';
import type { Uuid } from '../../contracts/scalars.js';
import type { SystemMessage } from '../../contracts/system-messages.js';
import type { Upcasters } from '../../contracts/upcaster.js';
import { newUuid } from '../../contracts/uuid.js';
import type { Database, Session } from '../../runtime/database/database.js';
import { plainSqlMessageOf, sqlFailureOf } from '../../runtime/database/sql-error.js';
import type { StoreConnection } from '../../runtime/service/store-connection.js';
import { withSchemaSession } from '../../runtime/database/schema-session.js';
import { log } from '../../runtime/logging/log.js';
import { createPerspectiveTables, isMissing } from '../../runtime/perspectives/tables/create-tables.js';
import { failureSummary, failureText } from '../../runtime/perspectives/parked/failure-text.js';
import type { FoldFailure, FoldRules } from '../../runtime/perspectives/fold/fold.js';
import type { FoldThreads } from '../../runtime/perspectives/rebuild/fold-thread.js';
import {
  rebuildCompleted,
  rebuildFailed,
  rebuildProgress,
  rebuildStarted,
} from '../../runtime/perspectives/rebuild/rebuild-events.js';
import {
  changeRebuild,
  renewRebuild,
  releaseRebuild,
  type RebuildRecord,
  acquireRebuild,
} from '../../runtime/perspectives/rebuild/rebuild-record.js';
import { cancelRebuild, rebuildUnderWay } from '../../runtime/perspectives/rebuild/rebuild-request.js';
import { RebuildHeartbeat } from '../../runtime/perspectives/rebuild/rebuild-heartbeat.js';
import { RunningRebuild } from '../../runtime/perspectives/rebuild/running-rebuild.js';
import type { IdempotentMessage } from '../../runtime/perspectives/rewind/rewind-events.js';
import type { RebuildProgress, Rebuilt } from '../../runtime/perspectives/service-perspectives.js';
import { perspectiveRebuildMachine, type RebuildWork } from './perspective-rebuild-machine.js';
import { type RebuildStrategy, strategyOf } from './rebuild-strategy.js';

/** What a rebuild needs from its host. */
interface RebuildHost extends FoldRules {
  readonly connection: StoreConnection;
  readonly upcasters?: Upcasters | undefined;
  /** Resolves after the commit. */
  emit(message: IdempotentMessage): Promise<void>;
  readonly report: (message: SystemMessage) => void;
  /** Reports progress, about once a second. */
  progress(figures: RebuildProgress): void;
  /** Called with the state of the statechart when it changes. */
  readonly entered?: (step: string) => void;
  readonly threads?: FoldThreads | undefined;
  /** How long the rebuild stays with a host that has died. */
  readonly leaseMs?: number | undefined;
  /** Cancels the rebuild. */
  readonly signal?: AbortSignal | undefined;
  /** The host stops; another one continues the rebuild. */
  readonly stopping?: AbortSignal | undefined;
}

/** Runs a recorded rebuild, or continues it; the worker may hold it already. */
export function runRebuild(host: RebuildHost, id: Uuid, worker = newUuid()): Promise<Rebuilt> {
  const { connection } = host;
  // One connection writes, one reads, and one renews the lease while the others are busy.
  return connection.asOwner((leaseDatabase) =>
    connection.asOwner((writing) =>
      connection.asOwner(async (reading) => {
        if (await isMissing(leaseDatabase, host.table))
          await createPerspectiveTables(leaseDatabase, [host.table]);
        const record = await acquireRebuild(leaseDatabase, id, worker, host.leaseMs);
        if (record === undefined) throw rebuildUnderWay(host.table.name);
        return withSchemaSession(writing, (writer) =>
          withSchemaSession(reading, (reader) =>
            new HostRebuild(host, record, worker, leaseDatabase, writer, reader).run(),
          ),
        );
      }),
    ),
  );
}

/** The server quotes values that do not fit a column; callers must not see them. */
const withoutValues = (error: unknown): unknown =>
  sqlFailureOf(error) === 'data'
    ? new Problem('rebuild-failed', { detail: plainSqlMessageOf(error) })
    : error;

/** Also while nothing is counted; with the second until the next heartbeat, and before a thread has to report. */
const reportAtLeastEveryMs = 2_500;

class HostRebuild implements RebuildWork {
  readonly #stopping = new AbortController();
  readonly #run: RunningRebuild;
  readonly #steps: RebuildStrategy;
  #reportedEvents = 0;
  #reportedTimes = 0;
  #reportedAt = performance.now();
  #heartbeat: RebuildHeartbeat | undefined;
  #hasStarted = false;
  /** From here on only the end is reported. */
  #isEnding = false;
  #lastHeartbeat: Promise<unknown> = Promise.resolve();
  #rebuilt: Rebuilt | undefined;

  constructor(
    private readonly host: RebuildHost,
    private readonly record: RebuildRecord,
    private readonly worker: Uuid,
    private readonly leaseDatabase: Database,
    writer: Session,
    reader: Session,
  ) {
    this.#run = new RunningRebuild({
      ...host,
      record,
      worker,
      writer,
      reader,
      ownerUrl: host.connection.ownerUrl,
      signal: this.#stopping.signal,
      failed: (failure) => this.#reportFailure(failure),
      counted: () => this.#share(),
    });
    const { report } = host;
    this.#steps = strategyOf(this.#run, { report, emit: (message) => host.emit(message) });
  }

  get name(): string {
    return this.host.table.name;
  }

  async run(): Promise<Rebuilt> {
    const actor = createActor(perspectiveRebuildMachine, { input: { work: this } });
    const { signal, stopping } = this.host;
    const cancel = (): void => actor.send({ type: 'cancel' });
    const leave = (): void => actor.send({ type: 'lost' });
    signal?.addEventListener('abort', cancel);
    stopping?.addEventListener('abort', leave);
    actor.subscribe(({ value }) => this.host.entered?.(value));
    actor.start();
    if (signal?.aborted === true) cancel();
    if (stopping?.aborted === true) leave();
    const { value, context } = await waitFor(actor, ({ status }) => status !== 'active', {
      timeout: Infinity,
    });
    signal?.removeEventListener('abort', cancel);
    stopping?.removeEventListener('abort', leave);
    await this.#heartbeat?.end();
    if (stopping?.aborted === true) await releaseRebuild(this.leaseDatabase, this.record, this.worker);
    if (value === 'done' && this.#rebuilt !== undefined) return this.#rebuilt;
    if (value === 'cancelled')
      throw new Problem('rebuild-cancelled', { detail: `The rebuild of ${this.name} was cancelled.` });
    throw withoutValues(context.error);
  }

  async prepare(): Promise<void> {
    await this.#run.mustHoldHistory();
    await this.#steps.prepare();
    this.#hasStarted = true;
    await this.host.emit(rebuildStarted(this.record, this.#run.totals.totalStreams));
    this.#showProgress();
    this.#startHeartbeat();
  }

  replay(): Promise<void> {
    return this.#steps.replay();
  }

  async verify(): Promise<void> {
    await this.#steps.verify?.();
  }

  async swap(): Promise<void> {
    await this.#steps.swap?.();
  }

  async complete(): Promise<void> {
    await this.#end();
    const now = Date.now();
    const { streams, events } = await this.#run.foldedCounts();
    const { lostRows } = this.#run;
    if (lostRows > 0)
      log.warn(
        { perspective: this.name, rows: lostRows },
        'a rebuild was forced: rows that readers had are parked',
      );
    await this.host.emit(rebuildCompleted(this.record, { streams, events, lostRows }, now));
    await this.#run.update({ state: 'done', shownStreams: streams, shownEvents: events, isEnded: true });
    const { id, mode, startedAt } = this.record;
    this.#rebuilt = {
      id,
      name: this.name,
      mode,
      streams,
      events,
      seconds: (now - Date.parse(startedAt)) / 1_000,
      ...(lostRows === 0 ? {} : { forced: true, rowsParked: lostRows }),
    };
    this.host.progress({ events, totalEvents: events, streams, totalStreams: streams });
  }

  async giveUp({ state, error }: Parameters<RebuildWork['giveUp']>[0]): Promise<void> {
    const text = state === 'cancelled' ? 'cancelled' : failureText(this.host, error);
    // If the rest fails, the host that continues the rebuild cancels it.
    if (state === 'cancelled') await cancelRebuild(this.leaseDatabase, this.name);
    await this.#end();
    await this.#steps.abandon?.();
    if (this.#hasStarted)
      await this.host.emit(rebuildFailed(this.record, text, this.#run.streams, Date.now()));
    await changeRebuild(this.leaseDatabase, this.record, this.worker, { state, error: text, isEnded: true });
  }

  heartbeat(): Promise<boolean | undefined> {
    const renewed = this.#renew();
    this.#lastHeartbeat = renewed.catch(() => undefined);
    return renewed;
  }

  async #end(): Promise<void> {
    this.#isEnding = true;
    await this.#heartbeat?.end();
    await this.#lastHeartbeat;
  }

  /** Other threads cannot reach connections that the service was given. */
  #startHeartbeat(): void {
    const { ownerUrl: url } = this.host.connection;
    if (url === undefined) return;
    const { record, worker } = this;
    this.#heartbeat = new RebuildHeartbeat({ url, record, worker, leaseMs: this.host.leaseMs });
    this.#share();
  }

  #share(): void {
    const { folded: events, streams, totals } = this.#run;
    this.#heartbeat?.counts.set({ events, streams, totalStreams: totals.totalStreams });
  }

  async #renew(): Promise<boolean | undefined> {
    this.#heartbeat?.counts.beat();
    const { folded: events, streams } = this.#run;
    const shown = { events, streams };
    const mayContinue = await renewRebuild(
      this.leaseDatabase,
      this.record,
      this.worker,
      shown,
      this.host.leaseMs,
    );
    const isReporting = mayContinue !== undefined && this.#hasStarted && !this.#isEnding;
    const isDue = performance.now() - this.#reportedAt >= reportAtLeastEveryMs;
    if (isReporting && (events > this.#reportedEvents || isDue)) await this.#report(shown);
    return mayContinue;
  }

  async #report({ events, streams }: { readonly events: number; readonly streams: number }): Promise<void> {
    this.#reportedTimes = events > this.#reportedEvents ? 1 : this.#reportedTimes + 1;
    this.#reportedEvents = events;
    this.#reportedAt = performance.now();
    this.#showProgress();
    const { totalStreams } = this.#run.totals;
    const figures = { streams, totalStreams, events };
    await this.host.emit(rebuildProgress(this.record, figures, this.#reportedTimes));
  }

  abort(): void {
    this.#stopping.abort();
  }

  #showProgress(): void {
    const { folded: events, streams, totals } = this.#run;
    const { totalEvents, totalStreams } = totals;
    this.host.progress({ events, totalEvents, streams, totalStreams });
  }

  #reportFailure({ entry: { event }, error }: FoldFailure): void {
    const { name, message, code } = failureSummary(this.host, { error });
    this.host.report(
      new PerspectiveFailed({
        perspectiveName: this.name,
        streamId: event.streamId,
        eventId: event.messageId,
        error: { name, message, ...(code === undefined ? {} : { code }) },
        attempt: 1,
        timestamp: new Date().toISOString(),
      }),
    );
  }
}
