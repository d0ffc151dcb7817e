import { Problem } from '../../contracts/problems.js';
import type { UnitStore } from '../../contracts/unit-store.js';
import type { MessageClass } from '../../contracts/message.js';
import { newUuid } from '../../contracts/uuid.js';
import { systemRecord } from '../../runtime/audit/system-record.js';
import type { Database } from '../../runtime/database/database.js';
import { Notifications, type NotificationSource } from '../../runtime/database/notifications.js';
import { LogTail } from '../../runtime/perspectives/log-tail.js';
import { PostgresLog } from '../../runtime/perspectives/postgres-log.js';
import { postgresCursorLog } from '../../runtime/reactions/postgres-cursor-log.js';
import { postgresReactionStore } from '../../runtime/reactions/postgres-reaction-store.js';
import { postgresWorkerLeases } from '../../runtime/reactions/worker-leases.js';
import type { ServiceParts } from '../../runtime/service/service.js';
import type { Child, Running } from '../supervisor/child.js';
import type { CursorWork } from './cursor-work.js';
import { InFlight } from './in-flight.js';
import { type CursorStatus, type ReactionsPorts, RunningReactions } from './running-reactions.js';
import { type AttemptSettings, attemptDefaults, type StepDispatcher } from './step-attempt.js';

export interface ReactionsOptions {
  /** Runs the commands that reactions send. */
  readonly dispatcher: StepDispatcher;
  readonly deadlineMs?: number;
  readonly host?: string;
  /** The version of the application: the newest one runs the reactions. */
  readonly version?: string;
  /** Shared with other parts of the host; without it, the reactions open a connection of their own. */
  readonly notifications?: NotificationSource;
  readonly leaseMs?: number;
  readonly renewMs?: number;
  readonly settings?: Partial<AttemptSettings>;
  /** Whether the host refuses requests because it is overloaded. */
  readonly isShedding?: () => boolean;
}

/** More commits than this waiting: reactions wait, so that requests come first. */
const busyDepth = 1_000;
const defaultDeadlineMs = 30_000;
/** Another host takes over within `leaseMs` of a host's death. */
const defaultLeaseMs = 4_000;
const defaultRenewMs = 1_300;

/** The reactions of a service, as a child of a supervisor. */
export class ServiceReactions implements Child {
  readonly name = 'reactions';
  #running: RunningReactions | undefined;

  constructor(
    private readonly parts: ServiceParts,
    private readonly works: readonly CursorWork[],
    private readonly options: ReactionsOptions,
  ) {
    const names = works.map(({ kind, name }) => `${kind} ${name}`);
    const twice = names.find((name, index) => names.indexOf(name) !== index);
    if (twice !== undefined)
      throw new Problem('invalid-setup', { detail: `There are two of the name '${twice}'; rename one.` });
  }

  get statuses(): readonly CursorStatus[] {
    return this.#running?.statuses ?? [];
  }

  async start(crashed: (error: unknown) => void): Promise<Running> {
    const { connection, unitStore } = this.parts;
    if (connection === undefined || unitStore === undefined)
      throw new Problem('invalid-setup', {
        detail:
          'addReactions keeps its cursors in the event store, and no PostgreSQL event store is registered yet; call with(postgresEventStore({ url })) before it.',
      });
    const { database } = await connection();
    this.#running = new RunningReactions(await this.#ports(database, unitStore), this.works);
    return this.#running.start(crashed);
  }

  async #ports(database: Database, store: UnitStore): Promise<ReactionsPorts> {
    const { parts, options } = this;
    const { host = 'local', version = '0' } = options;
    const own = await storeOf(database);
    const source = new PostgresLog(database, store.upcasters);
    const tail = new LogTail(
      (...args) => source.sealedPage(...args),
      () => database.changes,
    );
    return {
      ...{ dispatcher: options.dispatcher, store, version, inFlight: new InFlight() },
      reactions: postgresReactionStore(database),
      deadlineMs: options.deadlineMs ?? defaultDeadlineMs,
      leaseMs: options.leaseMs ?? defaultLeaseMs,
      renewMs: options.renewMs ?? defaultRenewMs,
      settings: { ...attemptDefaults, ...options.settings },
      leases: postgresWorkerLeases(database, newUuid(), host, version),
      notifications: options.notifications ?? new Notifications(database),
      logOf: ({ events }) => postgresCursorLog(events, tail, own, store.upcasters),
      isBusy: () => depthOf(store) > busyDepth || options.isShedding?.() === true,
      isSensitive: (type) => parts.policy.isSensitive(type),
      caughtUp: async (name, position, signal) => parts.perspectives?.caughtUp(name, position, signal),
      committed: (records) => parts.hooks.committed(records),
      recordOf: (message) =>
        parts.systemEventsRegistered && parts.options.isEnabled(message.constructor as MessageClass)
          ? systemRecord(message, {}, parts.policy)
          : undefined,
    };
  }
}

const depthOf = (store: UnitStore & { readonly depth?: number }): number => store.depth ?? 0;

async function storeOf(database: Database): Promise<string> {
  const [[store] = []] = await database.rows({ text: 'SELECT store FROM svc_origins WHERE origin = 0' });
  return store ?? '';
}
