import type { Flags, FlagSource } from '../../contracts/flags.js';
import type { Guard, Identity, RequestHeaders } from '../../contracts/identity.js';
import type { EnvelopeScope, Event } from '../../contracts/message.js';
import type { Idempotency, MutationContext, TransportName } from '../../contracts/mutation-context.js';
import type { PerspectiveScope } from '../../contracts/perspective-scope.js';
import type { Problem } from '../../contracts/problems.js';
import type { UnitOfWork } from '../../contracts/receptor.js';
import type { Long, Uuid } from '../../contracts/scalars.js';
import type { KeyedOutcome } from '../../contracts/unit-store.js';
import { newUuid } from '../../contracts/uuid.js';
import { Cancellation } from '../lang/cancellation.js';
import { oncePerFrozen } from '../lang/once-per-frozen.js';
import { Secrets } from '../logging/secrets.js';
import type { TraceSpan } from '../tracing/tracing.js';
import type { AuditedUnit } from '../unit/audited-unit.js';

/** The ids and the span that a command has from the request or message that it belongs to. */
interface Correlated {
  readonly correlationId?: string | undefined;
  readonly traceparent?: string | undefined;
  readonly tracestate?: string | undefined;
  readonly span?: TraceSpan | undefined;
}

export interface ContextInit extends Correlated {
  readonly transport: TransportName;
  readonly cancellation: Cancellation;
  readonly messageId?: Uuid;
  readonly causationId?: string | undefined;
  /** Default: the scope of the identity, if there is one. */
  readonly scope?: PerspectiveScope | undefined;
  readonly caller?: Caller | undefined;
  readonly idempotency?: Idempotency | undefined;
  readonly cause?: RequestContext | undefined;
  /** The number of reactions and timers between a request and this command. */
  readonly depth?: number | undefined;
  readonly flagSource?: FlagSource | undefined;
}

/** The sender of a request, its headers, and the guard that decides what the sender may do. */
export interface Caller {
  readonly identity?: Identity | undefined;
  readonly headers: RequestHeaders;
  /** Undefined if the host does not authenticate. */
  readonly guard?: Guard | undefined;
  /** A short form of their identity that nobody else has; without an identity, their address. */
  readonly sender?: string;
}

const emptyScope: PerspectiveScope = { allowedPrincipals: [], extensions: {} };

const noHeaders: RequestHeaders = Object.freeze({});

/** The progress of the command of a context, hidden from users' code. */
export let runOf: (context: RequestContext) => CommandRun;

/** The facts about one command that are known on arrival; rarely used members are created on first use. */
export class RequestContext implements MutationContext {
  readonly transport: TransportName;
  readonly cancellation: Cancellation;
  readonly messageId: Uuid;
  readonly correlationId: string;
  readonly causationId: string | undefined;
  /** The context of the command that invoked this one. */
  readonly cause: RequestContext | undefined;
  readonly depth: number | undefined;
  readonly tracestate: string | undefined;
  readonly scope: PerspectiveScope;
  readonly caller: Caller | undefined;
  readonly idempotency: Idempotency | undefined;
  readonly #run: CommandRun;
  readonly #traceparent: string | undefined;
  #items: Map<string, unknown> | undefined;
  #metadata: Record<string, unknown> | undefined;

  static {
    runOf = (context) => context.#run;
  }

  constructor(init: ContextInit, of: Correlated = init) {
    this.transport = init.transport;
    this.cancellation = init.cancellation;
    this.messageId = init.messageId ?? newUuid();
    this.correlationId = of.correlationId ?? this.messageId;
    this.causationId = init.causationId;
    this.cause = init.cause;
    this.depth = init.depth;
    this.tracestate = of.tracestate;
    this.caller = init.caller;
    this.scope = init.scope ?? init.caller?.identity?.scope ?? emptyScope;
    this.idempotency = init.idempotency;
    this.#traceparent = of.traceparent;
    this.#run = new CommandRun(init.cause && runOf(init.cause));
    this.#run.span = of.span;
    this.#run.flags = init.flagSource;
  }

  /** The trace parent of the current span, if the service traces. */
  get traceparent(): string | undefined {
    return this.#run.span?.traceparent ?? this.#traceparent;
  }

  /** Sensitive values that messages of errors may contain. Callers may see them; logs and events may not. */
  get secrets(): Secrets | undefined {
    return this.#run.secrets;
  }

  get cancellationToken(): AbortSignal {
    return this.cancellation.signal;
  }

  get identity(): Identity | undefined {
    return this.caller?.identity;
  }

  get headers(): RequestHeaders {
    return this.caller?.headers ?? noHeaders;
  }

  get flags(): Flags {
    // Where there is no host, every flag is off.
    return { isOn: (name) => this.#run.flags?.isOn(name, this.scope) === true };
  }

  get items(): Map<string, unknown> {
    return (this.#items ??= new Map());
  }

  get metadata(): Record<string, unknown> {
    return (this.#metadata ??= {});
  }

  /** The context of a command that this one invokes. */
  nested(signal: AbortSignal | undefined): RequestContext {
    return new RequestContext({
      transport: 'local',
      cancellation: Cancellation.of(signal ?? this.cancellationToken),
      correlationId: this.correlationId,
      causationId: this.messageId,
      cause: this,
      depth: this.depth,
      traceparent: this.#traceparent,
      tracestate: this.tracestate,
      span: this.#run.span,
      scope: this.scope,
      caller: this.caller,
      flagSource: this.#run.flags,
    });
  }
}

/** The result of the commit of a command. */
interface Committed {
  /** The first and the last global position. */
  readonly from: Long | undefined;
  readonly to: Long | undefined;
  /** The stored answer. */
  readonly outcome: KeyedOutcome | undefined;
}

/** The events of an effect, and their stream. */
export interface EffectOutcome {
  readonly streamId: Uuid | undefined;
  readonly events: readonly Event[];
  /** Why it was given up. */
  readonly problem?: Problem | undefined;
}

/**
 * The progress of the command of a context. Its lifecycle and the pipeline write it; hooks and receptors see only the
 * context, which does not change.
 */
export class CommandRun {
  /** The last unit of work. While it is open, commands that are invoked with the context are nested. */
  unit: AuditedUnit | undefined;
  /** The error that the handler rejected the command with; only such an error may be stored as its answer. */
  refusal: unknown;
  committed: Committed | undefined;
  /** The current span, when the service traces. */
  span: TraceSpan | undefined;
  /** The id of the effect that the command asks for, where it is another than that of the command. */
  askedAs: Uuid | undefined;
  /** What an effect has led to: its command stores that. */
  outcome: EffectOutcome | undefined;
  /** Appends what is stored with the command, or not at all; called with the result of each attempt. */
  alsoAppends: ((work: Pick<UnitOfWork, 'append'>, result: unknown) => void) | undefined;
  /** The flags of the host that runs the command. */
  flags: FlagSource | undefined;
  #next: 'any' | 'own' | 'nested' = 'any';
  #hidden: (() => Secrets | undefined)[] | undefined;

  constructor(private readonly cause: CommandRun | undefined) {}

  /** Whether an endpoint runs the command, and reports its failure. */
  get isInLifecycle(): boolean {
    return this.#next !== 'any';
  }

  /** The endpoint runs hooks: commands that they invoke are nested. */
  enterHooks(): void {
    this.#next = 'nested';
  }

  /** The endpoint dispatches: its own command comes next. */
  enterDispatch(): void {
    this.#next = 'own';
  }

  /** A command comes: whether it is the one of this context, and not a nested one. */
  enterCommand(): boolean {
    if (this.unit?.isOpen === true || this.#next === 'nested') return false;
    if (this.#next === 'own') this.#next = 'nested';
    return true;
  }

  /** Hides what is found, when an error is reported: it reaches the commands that invoked this one, too. */
  hide(find: () => Secrets | undefined): void {
    (this.#hidden ??= []).push(find);
    this.cause?.hide(find);
  }

  get secrets(): Secrets | undefined {
    if (this.#hidden === undefined) return undefined;
    const all = new Secrets();
    for (const find of this.#hidden) all.addFrom(find());
    return all;
  }
}

/** A scope as it appears in envelopes and audits: flat text, with lists joined by commas, and without empty members. */
export const flatScope = (scope: PerspectiveScope | EnvelopeScope): EnvelopeScope | undefined =>
  scope === emptyScope ? undefined : flattened(scope);

const flattened = oncePerFrozen((scope: PerspectiveScope | EnvelopeScope): EnvelopeScope => {
  const { extensions, ...named } = scope as PerspectiveScope;
  // An extension must never replace the tenant or the user.
  const flat: Record<string, string | null> = { ...extensions };
  for (const [name, value] of Object.entries<unknown>(named)) {
    if (value === undefined || (Array.isArray(value) && value.length === 0)) continue;
    flat[name] = value === null ? null : textOf(value);
  }
  return Object.freeze(flat);
});

const textOf = (value: unknown): string => (Array.isArray(value) ? value.join(',') : String(value));
