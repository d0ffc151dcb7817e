import type { Long, Timestamp, Uuid } from '../../../contracts/scalars.js';
import type {
  EventAt,
  InstanceFilter,
  ListedInstance,
  StepCount,
} from '../../../runtime/reactions/process-views.js';
import type { ListedKey, ListedReaction, ListedTimer } from '../../../runtime/reactions/reaction-lists.js';
import type { ActedBy } from './acted-by.js';
import type { StreamRecord } from './system-records.js';

/** A process with its chart, and where its instances are. */
export interface ProcessFigures {
  readonly name: string;
  /** Undefined if this host does not have it: then there is no chart. */
  readonly version: number | undefined;
  /** The machine in its own JSON format. */
  readonly machine: unknown;
  /** All instances that are stored; ended ones stay for a week. */
  readonly states: readonly StateCount[];
  /** The last steps of the instances that changed last. */
  readonly steps: readonly StepCount[];
}

interface StateCount {
  readonly state: string;
  readonly status: string;
  readonly count: number;
}

export interface ProcessesPage {
  readonly processes: readonly ProcessFigures[];
  /** Steps are counted in this many instances of each process, those that changed last. */
  readonly examined: number;
  /** Those that match, last changed first. */
  readonly instances: readonly ListedInstance[];
  /** By the clock of the database. */
  readonly now: Timestamp;
}

/** A step of an instance, and the event of the log that caused it. */
export interface InstanceStep {
  readonly at: Timestamp;
  readonly event: string;
  readonly from: string | null;
  readonly to: string;
  readonly sent?: readonly string[];
  readonly cause?: EventAt;
}

/** What one instance did; never its context. */
export interface InstanceDetail extends ListedInstance {
  /** The machine of its version; null if this host does not have it. */
  readonly machine: unknown;
  /** Oldest first; the last 50 are kept. */
  readonly steps: readonly InstanceStep[];
  readonly timers: readonly ListedTimer[];
  /** What was stored around its steps with their correlation ids. */
  readonly events: readonly StreamRecord[];
  readonly records: readonly StreamRecord[];
  readonly now: Timestamp;
}

export interface TimersPage {
  /** By due time. */
  readonly timers: readonly ListedTimer[];
  readonly now: Timestamp;
}

interface AsideKey extends ListedKey {
  /** The event at which it is stuck, if it is a domain event. */
  readonly event?: EventAt;
}

export interface ReactionsPage {
  readonly reactions: readonly ListedReaction[];
  /** Keys that are set aside, parked ones first. */
  readonly keys: readonly AsideKey[];
}

/** What a service does when something happens. */
export interface ProcessesPart {
  list(filter: InstanceFilter, limit: number): Promise<ProcessesPage>;
  instance(name: string, key: string): Promise<InstanceDetail | undefined>;
  timers(dueBefore: Timestamp | undefined, limit: number): Promise<TimersPage>;
  reactions(limit: number): Promise<ReactionsPage>;
  /** Lets parked keys of a reaction or process, or one of them, be tried again; returns how many. */
  release(name: string, key: string | undefined, by: ActedBy): Promise<number>;
  /** Gives up the event that parked a key; false if the key is not parked at it. */
  skip(name: string, key: string, position: Long, by: ActedBy): Promise<boolean>;
  /** Lets a parked instance try again what stopped it; false if it is not parked. */
  retry(name: string, key: string, by: ActedBy): Promise<boolean>;
  /** False if there is no such timer, or it has fired. */
  cancelTimer(id: Uuid, by: ActedBy): Promise<boolean>;
  runTimer(id: Uuid, by: ActedBy): Promise<boolean>;
}
