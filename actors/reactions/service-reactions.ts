import type { EffectRegistration } from '../../contracts/effect.js';
import { Problem } from '../../contracts/problems.js';
import type { StoredTimer } from '../../contracts/reaction-store.js';
import type { Long } from '../../contracts/scalars.js';
import type { Reaction } from '../../contracts/reaction.js';
import type { Schedule } from '../../contracts/schedule.js';
import type { UnitStore } from '../../contracts/unit-store.js';
import type { MessageClass } from '../../contracts/message.js';
import { systemRecord } from '../../runtime/audit/system-record.js';
import type { Database } from '../../runtime/database/database.js';
import { forFollowers } from '../../runtime/database/for-followers.js';
import { logTailOf } from '../../runtime/service/log-tail-of.js';
import type { HostLeases } from '../../runtime/leases/host-leases.js';
import type { KnownCursor } from '../../runtime/reactions/reaction-backlog.js';
import { type LeaseOptions, leasesOf } from '../../runtime/service/leases-of.js';
import { sharedPages } from '../../runtime/log/shared-pages.js';
import { postgresReactionStore } from '../../runtime/reactions/postgres-reaction-store.js';
import { findsEffects, type KnownEffects, knownEffects } from '../../runtime/effects/known-effect.js';
import { postgresEffectStore } from '../../runtime/effects/postgres-effect-store.js';
import { registerReactions } from '../../runtime/reactions/register-reactions.js';
import { type SettlingReactions, untilSettled } from '../../runtime/reactions/until-settled.js';
import type { ServiceParts } from '../../runtime/service/service.js';
import type { WebhookHost } from '../../runtime/webhooks/webhook-host.js';
import type { CommandGuard } from '../commands/command-handler.js';
import { checkProcess } from '../processes/check-process.js';
import type { MovedActor } from '../steps/moved-actor.js';
import type { Process } from '../processes/process.js';
import { eventsOf, fireProcess, processWork } from '../processes/process-work.js';
import { type EffectPorts, EffectWork } from '../due/effect-work.js';
import { claimDefaults } from '../due/claims.js';
import { EffectFigures } from '../due/effect-figures.js';
import { BlockingCode } from '../steps/blocking-code.js';
import type { Child, Running } from '../supervisor/child.js';
import { fireCommand } from '../due/fire-command.js';
import { fireSchedule, knownSchedules, parkOccurrence } from '../due/fire-schedule.js';
import { fireTimer } from '../due/fire-timer.js';
import { recordMissed } from '../due/missed-timers.js';
import { setSchedules, tryParkedAgain } from '../due/prepare-timers.js';
import { RunningTimers } from '../due/running-timers.js';
import { TimerFigures } from '../due/timer-figures.js';
import { EventFigures } from './event-figures.js';
import { mustHaveEffects, mustHaveOwnNames, mustKnowPerspectives } from './check-application.js';
import { reactionWork } from './reaction-work.js';
import { InFlight } from './in-flight.js';
import { RetrySlots } from './retry-slots.js';
import {
  cursorNames,
  type ReactionFollowers,
  type ReactionsPorts,
  RunningReactions,
} from './running-reactions.js';
import { type AttemptSettings, attemptDefaults, type StepDispatcher } from './step-attempt.js';

/** What an application does when something happens. */
export interface ReactingApplication {
  readonly reactions?: readonly Reaction[];
  readonly processes?: readonly Process[];
  readonly schedules?: readonly Schedule[];
  readonly effects?: readonly EffectRegistration[];
}

export interface ReactionsOptions extends LeaseOptions {
  /** Runs the commands that reactions send. */
  readonly dispatcher: StepDispatcher;
  readonly deadlineMs?: number;
  readonly settings?: Partial<AttemptSettings>;
  /** How long a host has an effect, and how often it prolongs that. */
  readonly claims?: Partial<typeof claimDefaults>;
  /** Called after each step of a process and of a request of an effect. */
  readonly moved?: (actor: MovedActor) => void;
  /** Of a host that a supervisor replaces when its event loop is blocked. */
  readonly guard?: CommandGuard | undefined;
  readonly webhooks?: WebhookHost | undefined;
  /** Whether the host refuses requests because it is overloaded. */
  readonly isShedding?: () => boolean;
  /** Whether there were requests lately. */
  readonly isServing?: () => boolean;
}

interface ServicePorts extends ReactionsPorts {
  readonly leases: HostLeases;
  readonly version: string;
  readonly moved: ReactionsOptions['moved'];
  readonly effectOf: ReturnType<typeof findsEffects>;
}

/** More commits than this waiting: reactions wait, so that requests come first. */
const busyDepth = 1_000;
const defaultDeadlineMs = 30_000;

/** The reactions of a service, as a child of a supervisor. */
export class ServiceReactions implements Child, SettlingReactions {
  readonly name = 'reactions';
  /** What this host has done, by the name of the reaction or process. */
  readonly events: ReadonlyMap<string, EventFigures>;
  readonly timers = new TimerFigures();
  /** The attempts of each effect. */
  readonly effects: ReadonlyMap<string, EffectFigures>;
  readonly #schedules: ReturnType<typeof knownSchedules>;
  readonly #effects: KnownEffects;
  #running: RunningReactions | undefined;

  constructor(
    private readonly parts: ServiceParts,
    private readonly application: ReactingApplication,
    private readonly options: ReactionsOptions,
  ) {
    const { reactions = [], processes = [], schedules = [], effects = [] } = application;
    for (const reaction of reactions) reactionWork(reaction);
    for (const process of processes) checkProcess(process);
    mustHaveEffects(processes, effects);
    this.#schedules = knownSchedules(schedules);
    this.#effects = knownEffects(effects);
    this.effects = new Map([...this.#effects.keys()].map((name) => [name, new EffectFigures()]));
    mustHaveOwnNames([...reactions, ...processes]);
    mustKnowPerspectives(reactions, parts.perspectives?.declared.map(({ name }) => name) ?? []);
    parts.reactions = this;
    this.events = new Map([...reactions, ...processes].map(({ name }) => [name, new EventFigures()]));
  }

  /** All partitions of its reactions and processes, and what this host knows of those that it runs. */
  get cursors(): readonly KnownCursor[] {
    const { reactions = [], processes = [] } = this.application;
    const settled = this.#running?.settled;
    return [
      ...reactions.flatMap(({ name }) => cursorNames('reaction', name)),
      ...processes.flatMap(({ name }) => cursorNames('process', name)),
    ].map(({ cursor, name }) => ({ cursor, name, settledTo: settled?.get(cursor) }));
  }

  get followers(): readonly ReactionFollowers[] {
    return this.#running?.followers ?? [];
  }

  async settled(position: Long, signal?: AbortSignal): Promise<void> {
    if (this.cursors.length === 0 || this.parts.connection === undefined) return;
    const { database } = await this.parts.connection();
    await untilSettled(database, () => this.cursors, position, signal);
  }

  async start(crashed: (error: unknown) => void): Promise<Running> {
    const { connection, unitStore } = this.parts;
    if (connection === undefined || unitStore === undefined)
      throw new Problem('invalid-setup', {
        detail:
          'addReactions keeps its cursors in the event store, and no PostgreSQL event store is registered yet; call with(postgresEventStore({ url })) before it.',
      });
    const { database } = await connection();
    const ports = await this.#ports(database, unitStore);
    const { reactions = [], processes = [] } = this.application;
    const works = [
      ...reactions.map(reactionWork),
      ...processes.map((process) => processWork(process, ports)),
    ];
    await registerReactions(
      database,
      works.map(({ kind, name, start }) => ({ kind, name, start })),
    );
    this.#running = new RunningReactions(ports, works);
    const running = this.#running.start(crashed);
    const timers = this.#timers(ports, database);
    timers.start();
    return { stop: async () => void (await Promise.all([running.stop(), timers.stop()])) };
  }

  #timers(ports: ServicePorts, database: Database): RunningTimers {
    const { processes = [] } = this.application;
    const fire = {
      command: fireCommand((name) => ports.dispatcher.commandNamed(name)),
      schedule: fireSchedule(this.#schedules, ports.recordOf),
      process: fireProcess(processes, ports),
    };
    const { isSensitive } = ports;
    const hiding = new Set(
      processes.filter((one) => eventsOf(one).some(({ name }) => isSensitive(name))).map(({ name }) => name),
    );
    const hidesErrors = ({ kind, name }: StoredTimer, sent: readonly string[]): boolean =>
      sent.some(isSensitive) || (kind === 'process' && hiding.has(name));
    const parksApart = parkOccurrence(this.#schedules, ports.recordOf);
    const clock = (): Promise<number> => clockOf(database);
    return new RunningTimers({
      store: ports.reactions,
      leases: ports.leases,
      fire: (timer) => fireTimer(timer, { ...ports, fire, parksApart, hidesErrors }),
      isBusy: ports.isBusy,
      isServing: () => this.options.isServing?.() === true,
      missed: recordMissed(ports),
      fired: (outcome, lateMs) => this.timers.fired(outcome, lateMs),
      setSchedules: (isNewest) => setSchedules(this.#schedules, { ...ports, clock, isNewest }),
      tryParkedAgain: (parts) => tryParkedAgain(parts, ports),
      others: this.#effects.size === 0 ? undefined : (due) => this.#effectWork(due, ports, database),
    });
  }

  #effectWork(
    due: Pick<EffectPorts, 'parts' | 'wake'>,
    ports: ServicePorts,
    database: Pick<Database, 'rows'>,
  ): EffectWork {
    const { leases, version } = ports;
    const claiming = { owner: leases.owner, version, name: this.options.host ?? leases.owner };
    return new EffectWork(
      {
        ...ports,
        ...due,
        known: this.#effects,
        webhooks: this.options.webhooks,
        effects: postgresEffectStore(database, claiming),
        sealing: this.parts.unitStore?.upcasters?.sealing,
        figuresOf: (name) => this.effects.get(name) ?? new EffectFigures(),
      },
      { ...claimDefaults, ...this.options.claims },
    );
  }

  async #ports(database: Database, store: UnitStore): Promise<ServicePorts> {
    const { parts, options } = this;
    const { version = '0' } = options;
    const behindCommands = forFollowers(database);
    const tail = logTailOf(parts, behindCommands);
    const retries = new RetrySlots(() => options.isServing?.() === true);
    return {
      dispatcher: options.dispatcher,
      store,
      version,
      inFlight: new InFlight(undefined, retries),
      code: new BlockingCode(options.guard),
      moved: options.moved,
      effectOf: findsEffects(this.application.effects ?? []),
      reactions: postgresReactionStore(behindCommands),
      deadlineMs: options.deadlineMs ?? defaultDeadlineMs,
      settings: { ...attemptDefaults, ...options.settings },
      leases: leasesOf(parts, database, options),
      figuresOf: ({ name }) => this.events.get(name) ?? new EventFigures(),
      logOf: (work) => sharedPages(work, tail, store.upcasters, () => database.changes),
      isBusy: () => depthOf(store) > busyDepth || options.isShedding?.() === true,
      isSensitive: (type) => parts.policy.isSensitive(type),
      secretsIn: (type, message) => parts.policy.secretsIn(type, message),
      caughtUp: async (name, position, signal) => parts.perspectives?.caughtUp(name, position, signal),
      committed: (records) => parts.hooks.committed(records),
      recordOf: (message) =>
        parts.systemEventsRegistered && parts.options.isEnabled(message.constructor as MessageClass)
          ? systemRecord(message, {}, parts.policy)
          : undefined,
    };
  }
}

/** Milliseconds since 1970, by the clock of the database. */
async function clockOf(database: Database): Promise<number> {
  const [[now] = []] = await database.rows({ text: 'SELECT extract(epoch FROM clock_timestamp()) * 1000' });
  return Number(now);
}

const depthOf = (store: UnitStore & { readonly depth?: number }): number => store.depth ?? 0;
