import type { FlagSource } from '../../contracts/flags.js';
import type { Event } from '../../contracts/message.js';
import type { Problem } from '../../contracts/problems.js';
import type { UnitOfWork } from '../../contracts/receptor.js';
import type { Long, Uuid } from '../../contracts/scalars.js';
import type { KeyedOutcome } from '../../contracts/unit-store.js';
import type { AuditedUnit } from '../unit/audited-unit.js';
import { Secrets } from '../logging/secrets.js';
import type { TraceSpan } from '../tracing/tracing.js';

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

  /** Whether the next command is the one of this context; it is then taken. */
  take(): boolean {
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
