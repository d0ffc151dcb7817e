import type { OperatorAction } from '../../runtime/audit/operator-action.js';
import type { RebuildRequest } from '../../runtime/perspectives/rebuild-request.js';
import type { LifecycleOutcome } from '../lifecycle/machine.js';

/** Which of several hosts, and which of several stores, somebody looks at. */
export interface Place {
  readonly host?: string | undefined;
  readonly origin?: string | undefined;
}

/** Everything the console can look at: one host, all that a supervisor runs, or all that a monitor hears of. */
export interface ConsoleSource {
  hosts(): readonly string[];
  /** The first host, or all as one, when none is named; undefined when there is no such host. */
  at(place: Place): ConsoleHost | undefined;
}

/** Now, or when another process has answered. */
export type Soon<T> = T | Promise<T>;

/** One host; a part that it does not have is absent, and the page says so. */
export interface ConsoleHost {
  readonly about: HostFacts;
  readonly lifecycle?: LifecyclePart;
  readonly system?: SystemPart;
  readonly perspectives?: PerspectivesPart;
  readonly outbox?: OutboxPart;
  readonly actors?: () => Soon<readonly ActorNode[]>;
  readonly health?: () => Soon<HealthFigures>;
  /** All hosts that a monitor hears of. */
  readonly overview?: () => Overview;
  /** Puts on record what an operator did here. */
  readonly record?: (action: OperatorAction) => Promise<void>;
}

export interface HostFacts {
  readonly host: string;
  readonly service: string;
  readonly version: string;
  /** Whether system events stay on the host or are broadcast. */
  readonly broadcasts: boolean;
  readonly startedAt: string;
  /** Whether perspectives can be rebuilt from here. */
  readonly rebuilds: boolean;
  /** What there is to show; without it everything but an overview. */
  readonly panels?: readonly string[];
  /** Whether it is one of several that are shown as one when none is chosen. */
  readonly together?: boolean;
}

export interface LifecyclePart {
  /** The machine as XState JSON. */
  readonly machine: unknown;
  figures(): Soon<LifecycleFigures>;
  /** Newest first: those whose ids, command, outcome or error hold the text. */
  requests(text: string, limit: number): Soon<readonly RequestSummary[]>;
  request(id: string): Promise<RequestDetail | undefined>;
  /** Somebody watches: traces are kept until the returned function is called. */
  watch(): () => void;
}

export interface LifecycleFigures {
  readonly requests: number;
  readonly failed: number;
  readonly states: readonly StateFigures[];
  readonly edges: readonly EdgeFigures[];
}

export interface StateFigures extends Quantiles {
  readonly state: string;
  readonly inFlight: number;
  readonly count: number;
}

/** How often requests went this way, and how long they had been in the state they left. */
export interface EdgeFigures extends Quantiles {
  readonly from: string;
  readonly event: string;
  readonly to: string;
  readonly count: number;
}

export interface Quantiles {
  readonly p50Ms: number | undefined;
  readonly p99Ms: number | undefined;
}

/** One finished request; never a body. */
export interface RequestSummary {
  readonly id: string;
  /** Which of several took it. */
  readonly host?: string | undefined;
  readonly correlationId: string;
  readonly command: string;
  readonly transport: string;
  readonly outcome: LifecycleOutcome;
  /** The state in which it failed. */
  readonly failedIn?: string | undefined;
  /** Name or code of what it failed with, or recovered from. */
  readonly error?: string | undefined;
  readonly startedAt: string;
  readonly ms: number;
  readonly states: readonly (readonly [state: string, ms: number])[];
}

export interface RequestDetail extends RequestSummary {
  readonly traceId?: string | undefined;
  /** The messages between its actors; empty when no trace was kept. */
  readonly steps: readonly SequenceStep[];
  readonly events: readonly StreamRecord[];
  readonly records: readonly StreamRecord[];
}

/** A message from one actor to another, or with the same on both sides a state it came to. */
export interface SequenceStep {
  readonly atMs: number;
  readonly from: string;
  readonly to: string;
  readonly message: string;
  readonly failed?: boolean;
}

/** What the list shows of a stored record. */
export interface StreamRecord {
  readonly position: number;
  readonly eventId: string;
  readonly eventType: string;
  readonly recordedAt: string;
  readonly host: string;
  readonly subject: string;
  readonly user?: string | undefined;
  readonly tenant?: string | undefined;
  readonly correlationId?: string | undefined;
}

export interface WholeRecord extends StreamRecord {
  readonly hash: string;
  readonly data: unknown;
  readonly metadata: unknown;
}

export interface SystemFilter {
  readonly type?: string | undefined;
  readonly user?: string | undefined;
  readonly tenant?: string | undefined;
  readonly correlation?: string | undefined;
}

/** A bounded look back; `before` is where a longer one goes on. */
export interface SystemPage {
  readonly records: readonly StreamRecord[];
  readonly before: number | undefined;
}

export interface SystemPart {
  head(): Promise<number>;
  /** Oldest first: the newest of those after this position. */
  after(position: number, limit: number): Promise<readonly StreamRecord[]>;
  /** Newest first. */
  page(filter: SystemFilter, before: number | undefined, limit: number): Promise<SystemPage>;
  record(position: number): Promise<WholeRecord | undefined>;
  verify(): Promise<ChainFigures>;
}

export interface ChainFigures {
  readonly ok: boolean;
  /** Of several chains: how many, and the store whose chain is broken. */
  readonly chains?: number | undefined;
  readonly store?: string | undefined;
  readonly records: number;
  readonly head: { readonly position: number; readonly hash: string };
  readonly firstBroken?: number | undefined;
  readonly verifiedAt: string;
}

export const rebuildModes = ['BlueGreen', 'InPlace'] as const;

export interface PerspectiveFigures {
  readonly name: string;
  readonly position: number;
  readonly lag: number;
  readonly state: string;
  /** For how long it has not been at the end of the log. */
  readonly behindSeconds?: number | undefined;
  /** Keys that wait for a repair. */
  readonly parked?: number | undefined;
  /** Why it stands still. */
  readonly error?: string | undefined;
  readonly rebuild?: { readonly done: number; readonly total: number } | undefined;
}

export interface PerspectivesPart {
  list(): Soon<readonly PerspectiveFigures[]>;
  /** Has parked keys folded again; answers how many. */
  release(name: string): Promise<number>;
  /** Absent where nothing can be rebuilt. */
  readonly rebuild?: (name: string, request: RebuildRequest) => Promise<void>;
}

export interface OutboxFigures {
  readonly pending: number;
  /** There are more than were counted. */
  readonly more: boolean;
  readonly oldestAgeMs: number | undefined;
  readonly relay: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly dead: number;
}

export interface DeadLetterLine {
  readonly id: number;
  /** Whether it was to leave, or came from elsewhere. */
  readonly source: 'outbox' | 'inbox';
  readonly messageId: string;
  readonly messageType: string;
  readonly destination: string;
  readonly attempts: number;
  readonly lastError: string;
  readonly deadAt: string;
  readonly state: string;
}

export interface OutboxPart {
  figures(): Promise<OutboxFigures>;
  deadLetters(): Promise<readonly DeadLetterLine[]>;
  deadLetter(id: number): Promise<(DeadLetterLine & { readonly message: unknown }) | undefined>;
  /** False when there is none that could still be resolved so. */
  replay(id: number): Promise<boolean>;
  discard(id: number, reason: string | undefined): Promise<boolean>;
}

export interface ActorNode {
  readonly name: string;
  readonly state: string;
  readonly restarts?: number | undefined;
  readonly since?: string | undefined;
  readonly lastError?: string | undefined;
  readonly mailbox?: { readonly depth: number; readonly limit: number } | undefined;
  readonly children?: readonly ActorNode[] | undefined;
}

export interface HealthFigures {
  readonly status: string;
  readonly checks: readonly HealthLine[];
}

export interface HealthLine {
  readonly name: string;
  /** Which of several says so. */
  readonly host?: string | undefined;
  readonly tags: readonly string[];
  readonly status: string;
  readonly detail?: string | undefined;
  readonly latencyMs?: number | undefined;
  readonly since?: string | undefined;
}

/** What a monitor knows about everybody. */
export interface Overview {
  readonly hosts: readonly HostLine[];
  /** Newest first. */
  readonly progress: readonly ProgressLine[];
  readonly failures: readonly StreamRecord[];
}

export interface HostLine {
  /** Under which it can be chosen. */
  readonly name: string;
  readonly store: string;
  /** Unknown until it has said how it is. */
  readonly service?: string | undefined;
  readonly version?: string | undefined;
  readonly startedAt?: string | undefined;
  /** `heard of`: there are records of it, and it has not said how it is. */
  readonly state: 'up' | 'stopped' | 'silent' | 'heard of';
  readonly status?: string | undefined;
  /** The checks that are not Healthy. */
  readonly ill: readonly HealthLine[];
  readonly lastSeen: string;
  /** Of its last record. */
  readonly position?: number | undefined;
}

/** A rebuild or a migration on its way, or how it ended. */
export interface ProgressLine {
  readonly host: string;
  readonly what: string;
  readonly done: number;
  readonly total: number;
  readonly state: 'running' | 'completed' | 'failed';
  readonly detail?: string | undefined;
  readonly at: string;
}
