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
import { log } from '../../runtime/log.js';
import { createPerspectiveTables, isMissing } from '../../runtime/perspectives/create-tables.js';
import { failureSummary, failureText } from '../../runtime/perspectives/failure-text.js';
import type { FoldFailure, FoldRules } from '../../runtime/perspectives/fold.js';
import type { FoldThreads } from '../../runtime/perspectives/fold-thread.js';
import {
  rebuildCompleted,
  rebuildFailed,
  rebuildProgress,
  rebuildStarted,
} from '../../runtime/perspectives/rebuild-events.js';
import {
  changeRebuild,
  keepRebuild,
  leaveRebuild,
  type RebuildRecord,
  takeRebuild,
} from '../../runtime/perspectives/rebuild-record.js';
import { underWay } from '../../runtime/perspectives/rebuild-request.js';
import { RebuildRun } from '../../runtime/perspectives/rebuild-run.js';
import type { Telling } from '../../runtime/perspectives/rewind-events.js';
import type { RebuildProgress, Rebuilt } from '../../runtime/perspectives/service-perspectives.js';
import { perspectiveRebuildMachine, type RebuildWork } from './perspective-rebuild-machine.js';
import { type RebuildSteps, stepsOf } from './rebuild-steps.js';

/** What a rebuild needs of its host. */
interface RebuildHost extends FoldRules {
  readonly connection: StoreConnection;
  readonly upcasters?: Upcasters | undefined;
  /** Resolves when it is stored. */
  tell(telling: Telling): Promise<void>;
  readonly report: (message: SystemMessage) => void;
  /** How far it is, about once a second. */
  progress(figures: RebuildProgress): void;
  readonly threads?: FoldThreads | undefined;
  /** How long nobody else takes it when this host has died. */
  readonly leaseMs?: number | undefined;
  /** Ends it, as if somebody had cancelled it. */
  readonly signal?: AbortSignal | undefined;
  /** The host stops: another one goes on with it. */
  readonly stopping?: AbortSignal | undefined;
}

/** Carries out a rebuild that is on record, or goes on with it; the worker may have taken it already. */
export function carryOutRebuild(host: RebuildHost, id: Uuid, worker = newUuid()): Promise<Rebuilt> {
  const { connection } = host;
  // One connection writes, one reads, and one keeps the lease while the others are busy.
  return connection.asOwner((beating) =>
    connection.asOwner((writing) =>
      connection.asOwner(async (reading) => {
        if (await isMissing(beating, host.table)) await createPerspectiveTables(beating, [host.table]);
        const record = await takeRebuild(beating, id, worker, host.leaseMs);
        if (record === undefined) throw underWay(host.table.name);
        return withSchemaSession(writing, (writer) =>
          withSchemaSession(reading, (reader) =>
            new RebuildInHost(host, record, worker, beating, writer, reader).run(),
          ),
        );
      }),
    ),
  );
}

/** What does not fit into a column is quoted by the server: callers see the rest. */
const plain = (error: unknown): unknown =>
  sqlFailureOf(error) === 'data'
    ? new Problem('rebuild-failed', { detail: plainSqlMessageOf(error) })
    : error;

class RebuildInHost implements RebuildWork {
  readonly #stopping = new AbortController();
  readonly #run: RebuildRun;
  readonly #steps: RebuildSteps;
  #told = 0;
  #hasStarted = false;
  /** From here on nothing is told but the end. */
  #isEnding = false;
  #lastBeat: Promise<unknown> = Promise.resolve();
  #rebuilt: Rebuilt | undefined;

  constructor(
    private readonly host: RebuildHost,
    private readonly record: RebuildRecord,
    private readonly worker: Uuid,
    private readonly beating: Database,
    writer: Session,
    reader: Session,
  ) {
    const { perspective, table, isSensitive, upcasters, threads } = host;
    this.#run = new RebuildRun({
      ...{ perspective, table, isSensitive, upcasters, threads, record, worker, writer, reader },
      ownerUrl: host.connection.ownerUrl,
      signal: this.#stopping.signal,
      failed: (failure) => this.#reportFailure(failure),
    });
    const { report } = host;
    this.#steps = stepsOf(this.#run, { report, tell: (telling) => host.tell(telling) });
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
    actor.start();
    if (signal?.aborted === true) cancel();
    if (stopping?.aborted === true) leave();
    const { value, context } = await waitFor(actor, ({ status }) => status !== 'active', {
      timeout: Infinity,
    });
    signal?.removeEventListener('abort', cancel);
    stopping?.removeEventListener('abort', leave);
    if (stopping?.aborted === true) await leaveRebuild(this.beating, this.record, this.worker);
    if (value === 'done' && this.#rebuilt !== undefined) return this.#rebuilt;
    if (value === 'cancelled')
      throw new Problem('rebuild-cancelled', { detail: `The rebuild of ${this.name} was cancelled.` });
    throw plain(context.error);
  }

  async prepare(): Promise<void> {
    await this.#steps.prepare();
    this.#hasStarted = true;
    await this.host.tell(rebuildStarted(this.record, this.#run.totals.totalStreams));
    this.#show();
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
    const { streams, events } = await this.#run.sum();
    const { lostRows } = this.#run;
    if (lostRows > 0)
      log.warn(
        { perspective: this.name, rows: lostRows },
        'a rebuild was forced: rows that readers had are parked',
      );
    await this.host.tell(rebuildCompleted(this.record, { streams, events, lostRows }, now));
    await this.#run.change({ state: 'done', shownStreams: streams, shownEvents: events, isEnded: true });
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

  async give({ state, error }: Parameters<RebuildWork['give']>[0]): Promise<void> {
    const text = state === 'cancelled' ? 'cancelled' : failureText(this.host, error);
    await this.#end();
    await this.#steps.abandon?.();
    if (this.#hasStarted)
      await this.host.tell(rebuildFailed(this.record, text, this.#run.streams, Date.now()));
    await changeRebuild(this.beating, this.record, this.worker, { state, error: text, isEnded: true });
  }

  beat(): Promise<boolean | undefined> {
    const beat = this.#beat();
    this.#lastBeat = beat.catch(() => undefined);
    return beat;
  }

  async #end(): Promise<void> {
    this.#isEnding = true;
    await this.#lastBeat;
  }

  async #beat(): Promise<boolean | undefined> {
    const { folded: events, streams } = this.#run;
    const shown = { events, streams };
    const goesOn = await keepRebuild(this.beating, this.record, this.worker, shown, this.host.leaseMs);
    if (goesOn !== undefined && this.#hasStarted && !this.#isEnding && events > this.#told) {
      this.#told = events;
      this.#show();
      const { totalStreams } = this.#run.totals;
      await this.host.tell(rebuildProgress(this.record, { streams, totalStreams, events }));
    }
    return goesOn;
  }

  abort(): void {
    this.#stopping.abort();
  }

  #show(): void {
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
