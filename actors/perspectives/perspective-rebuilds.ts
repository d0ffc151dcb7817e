import { RebuildMode } from '../../contracts/perspective.js';
import { Problem } from '../../contracts/problems.js';
import { isUuid, type Uuid } from '../../contracts/scalars.js';
import type { SystemMessage } from '../../contracts/system-messages.js';
import { newUuid } from '../../contracts/uuid.js';
import type { StoreConnection } from '../../runtime/service/store-connection.js';
import { log } from '../../runtime/logging/log.js';
import type { FoldRules } from '../../runtime/perspectives/fold/fold.js';
import type { FoldThreads } from '../../runtime/perspectives/rebuild/fold-thread.js';
import { rebuildAsOperator } from '../../runtime/perspectives/operate.js';
import { openRebuilds } from '../../runtime/perspectives/rebuild/rebuild-record.js';
import { requestRebuild } from '../../runtime/perspectives/rebuild/rebuild-request.js';
import type {
  PerspectiveState,
  RebuildOptions,
  RebuildProgress,
  Rebuilt,
} from '../../runtime/perspectives/service-perspectives.js';
import type { ServiceParts } from '../../runtime/service/service.js';
import { runRebuild } from './perspective-rebuild.js';

interface Ports {
  readonly parts: ServiceParts;
  readonly connect: () => Promise<StoreConnection>;
  readonly report: (message: SystemMessage) => void;
  /** Lets other threads fold too. */
  readonly threads?: FoldThreads | undefined;
  /** How long a rebuild stays with a host that has died. */
  readonly leaseMs?: number;
}

const retryMs = 5_000;

/** The rebuilds that this host runs, and what it knows of those on other hosts. */
export class PerspectiveRebuilds {
  readonly #stopping = new AbortController();
  readonly #running = new Map<string, Promise<Rebuilt>>();
  readonly #progress = new Map<string, RebuildProgress>();
  /** The states of the rebuilds that this host runs. */
  readonly #steps = new Map<string, string>();
  /** Requested again during a rebuild. */
  readonly #requested = new Set<string>();

  constructor(private readonly ports: Ports) {}

  /** The progress of a table's rebuild, on any host. */
  progressOf(table: string): PerspectiveState['rebuild'] {
    const progress = this.#progress.get(table);
    const step = this.#steps.get(table);
    if (progress === undefined && step === undefined) return undefined;
    const { events: done, totalEvents: total } = progress ?? { events: 0, totalEvents: 0 };
    return { done, total, ...(step === undefined ? {} : { step }) };
  }

  get isAnyOpen(): boolean {
    return this.#progress.size > 0;
  }

  async rebuild(rules: FoldRules, options: RebuildOptions): Promise<Rebuilt> {
    mustBeValid(rules.table.name, options);
    const connection = await this.ports.connect();
    const { mode, streams = [], maxRate, force = false, by } = options;
    const wanted = {
      mode,
      streams: streams.map((stream) => stream.toLowerCase()),
      force,
      ...(maxRate === undefined ? {} : { maxRate }),
    };
    const worker = newUuid();
    const id = await connection.asOwner((owner) =>
      by === undefined
        ? requestRebuild(owner, rules.table, wanted, worker)
        : rebuildAsOperator(owner, by, rules.table, wanted, worker),
    );
    return this.#run(rules, connection, id, options, worker);
  }

  /** One rebuild covers all late events that arrived before it began. */
  async rebuildAfterLateEvent(rules: FoldRules): Promise<void> {
    const { table, name } = rules.table;
    if (this.#requested.has(table)) return;
    this.#requested.add(table);
    try {
      while (!this.#stopping.signal.aborted) {
        await this.#running.get(table)?.catch(() => undefined);
        this.#requested.delete(table);
        try {
          await this.rebuild(rules, { mode: RebuildMode.BlueGreen });
          return;
        } catch (error) {
          if (!(error instanceof Problem) || error.code !== 'rebuild-under-way') throw error;
          this.#requested.add(table);
          await new Promise((resolve) => setTimeout(resolve, retryMs));
        }
      }
    } catch (err) {
      log.error({ err, perspective: name }, 'a perspective could not be rebuilt after a late event');
    } finally {
      this.#requested.delete(table);
    }
  }

  /** Starts or continues open rebuilds of the perspectives that this host runs. */
  async adoptOpen(running: readonly FoldRules[], isHeld: (table: string) => boolean): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    const connection = await this.ports.connect();
    const open = await openRebuilds(connection.database);
    for (const table of this.#progress.keys())
      if (!this.#running.has(table) && !open.some((one) => one.table === table)) this.#progress.delete(table);
    for (const record of open) {
      const rules = running.find(({ table }) => table.table === record.table);
      if (rules === undefined || this.#running.has(record.table)) continue;
      const { shownEvents: events, shownStreams: streams, totalEvents, totalStreams } = record;
      this.#progress.set(record.table, { events, streams, totalEvents, totalStreams });
      if (!record.isFree || !isHeld(record.table)) continue;
      this.#run(rules, connection, record.id, {}).catch((err: unknown) =>
        log.warn({ err, perspective: record.name }, 'a requested rebuild ended early'),
      );
    }
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await Promise.allSettled(this.#running.values());
  }

  #run(
    rules: FoldRules,
    connection: StoreConnection,
    id: Uuid,
    { signal, progress }: Pick<RebuildOptions, 'signal' | 'progress'>,
    worker?: Uuid,
  ): Promise<Rebuilt> {
    const { parts, report, leaseMs, threads } = this.ports;
    const { table } = rules.table;
    const running = runRebuild(
      {
        ...rules,
        isSensitive: (type) => parts.policy.isSensitive(type),
        connection,
        upcasters: parts.unitStore?.upcasters,
        emit: ({ id: messageId, message }) => parts.emitter.emit(message, undefined, messageId),
        report,
        progress: (figures) => {
          this.#progress.set(table, figures);
          progress?.({ ...figures, step: this.#steps.get(table) });
        },
        entered: (step) => {
          this.#steps.set(table, step);
          const last = this.#progress.get(table);
          if (last !== undefined) progress?.({ ...last, step });
        },
        leaseMs,
        threads,
        signal,
        stopping: this.#stopping.signal,
      },
      id,
      worker,
    ).finally(() => {
      this.#running.delete(table);
      this.#progress.delete(table);
      this.#steps.delete(table);
    });
    this.#running.set(table, running);
    return running;
  }
}

const modes = Object.values(RebuildMode);

/** Plain JavaScript may have passed anything. */
function mustBeValid(name: string, { mode, streams = [], maxRate, force }: RebuildOptions): void {
  const given: string = mode;
  if (!modes.some((known) => known === given))
    throw refused(name, `has no mode '${given}'; use one of ${modes.join(', ')}`);
  if ((mode === RebuildMode.SelectedStreams) !== streams.length > 0)
    throw refused(name, 'needs streams with SelectedStreams, and takes none otherwise');
  const invalid = streams.findIndex((stream) => !isUuid(stream));
  if (invalid >= 0) throw refused(name, `needs stream ids that are UUIDs, not '${streams[invalid] ?? ''}'`);
  if (maxRate !== undefined && !(Number.isSafeInteger(maxRate) && maxRate > 0))
    throw refused(name, 'needs a positive whole number of events per second as maxRate');
  if (force !== undefined && typeof (force as unknown) !== 'boolean')
    throw refused(name, 'needs true or false as force');
}

const refused = (name: string, fault: string): Problem =>
  new Problem('invalid-query', { detail: `A rebuild of ${name} ${fault}.` });
