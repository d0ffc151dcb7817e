import { setTimeout as pause } from 'node:timers/promises';
import { type ErrorSummary, ReactionFailed } from '../../contracts/events/error.js';
import type { Command, MessageClass } from '../../contracts/message.js';
import { Problem } from '../../contracts/problems.js';
import type { ReactionStore } from '../../contracts/reaction-store.js';
import { Cancellation } from '../../runtime/lang/cancellation.js';
import type { LogEntry } from '../../runtime/log/log-entry.js';
import { commandIdOf, maxDepth } from '../../runtime/reactions/ids.js';
import type { Marks } from '../../runtime/reactions/line-effects.js';
import { RequestContext } from '../../runtime/request/request-context.js';
import { Secrets } from '../../runtime/logging/secrets.js';
import { scopeOfEnvelope } from '../../runtime/request/scope-of-envelope.js';
import type { OpenStep } from '../commands/open-step.js';
import type { BlockingCode } from '../steps/blocking-code.js';
import { type CursorWork, hidesErrors, type StepAdditions } from '../steps/cursor-work.js';
import { stageCommand } from '../steps/stage-command.js';
import { isConflict, isPassing } from '../commands/passing-errors.js';
import { isRefusal, Unhandled, withoutDetail } from '../steps/step-errors.js';
import type { Hidden } from '../steps/step-failure.js';

/** Where the commands of steps run. */
export interface StepDispatcher {
  openStep(): OpenStep;
  commandNamed(name: string): MessageClass<Command> | undefined;
  stage(command: Command, context: RequestContext, step: OpenStep): Promise<unknown>;
  failed(command: Command, error: unknown, context: RequestContext): void;
}

export interface AttemptPorts {
  readonly dispatcher: StepDispatcher;
  readonly reactions: Pick<ReactionStore, 'isReserved'>;
  readonly deadlineMs: number;
  readonly code: BlockingCode;
  /** Whether requests should have the host for themselves. */
  readonly isBusy: () => boolean;
  /** Resolves when the perspective has seen the position. */
  readonly caughtUp: (perspective: string, position: number, signal: AbortSignal) => Promise<void>;
  /** Whether errors about this message may contain what must not be shown. */
  readonly isSensitive: (type: string) => boolean;
  /** The sensitive values of a message; undefined when its type has none. */
  readonly secretsIn: (type: string, message: unknown) => Secrets | undefined;
  readonly settings: AttemptSettings;
}

export interface AttemptSettings {
  /** How often an event is tried before its key leaves the line. */
  readonly tries: number;
  readonly retryMs: number;
  /** How long to wait for a host that is busy. */
  readonly busyMs: number;
}

export const attemptDefaults: AttemptSettings = { tries: 3, retryMs: 400, busyMs: 50 };

/** Ran, and not committed yet. */
export interface RanStep {
  readonly step: OpenStep;
  /** Undefined: the event causes nothing. */
  readonly additions: StepAdditions | undefined;
  readonly outcome: 'handled' | 'passed' | 'unmatched';
}

/** An event from its first attempt until it is settled, or leaves the line. */
export interface RunningStep {
  readonly attempt: StepAttempt;
  /** Gives its slot back. It is held until the commit, so that requests do not wait behind many events. */
  leave: () => void;
  ran?: RanStep;
  isCommitting?: boolean;
  failure?: ErrorSummary;
}

const maxConflicts = 20;

/** Handles one event: tries a few times what may succeed the next time, and waits while the host is busy. */
export class StepAttempt {
  #failures = 0;
  #conflicts = 0;
  #refusal: Problem | undefined;
  #looksForNames = false;
  readonly #hidesAll: boolean;
  readonly #sensitive: (() => Secrets | undefined)[] = [];

  constructor(
    private readonly ports: AttemptPorts,
    readonly work: CursorWork,
    readonly entry: LogEntry,
    private readonly signal: AbortSignal,
  ) {
    const { messageType, payload } = entry.event;
    const hides = hidesErrors(work, messageType, ports.isSensitive);
    this.#hidesAll = hides && work.kind === 'process';
    if (hides) this.#hide(messageType, payload);
  }

  /** The sensitive values of the event and of the commands that it caused. */
  get hidden(): Hidden | undefined {
    if (this.#hidesAll) return 'any';
    if (this.#sensitive.length === 0) return undefined;
    const secrets = new Secrets();
    for (const find of this.#sensitive) secrets.addFrom(find());
    return secrets;
  }

  async run(): Promise<RanStep> {
    const { event } = this.entry;
    if ((event.depth ?? 0) >= maxDepth) throw new Unhandled(tooDeep());
    for (const name of this.work.after) await this.ports.caughtUp(name, event.globalPosition, this.signal);
    for (;;) {
      while (this.ports.isBusy()) await this.#pause(this.ports.settings.busyMs);
      this.signal.throwIfAborted();
      const step = this.ports.dispatcher.openStep();
      try {
        return ranStep(step, await this.#handle(step));
      } catch (error) {
        step.discardAfter(0);
        this.signal.throwIfAborted();
        await this.#recover(error);
      }
    }
  }

  /** An operator gave the event up: nothing runs, and it is settled. */
  pass(): RanStep {
    return ranStep(this.ports.dispatcher.openStep(), undefined);
  }

  /** Decides whether what failed is tried again. Throws when it is not. */
  async #recover(error: unknown): Promise<void> {
    if (error instanceof Unhandled) throw error;
    if (isPassing(error)) return this.#pause(this.ports.settings.busyMs);
    if (isConflict(error)) return this.conflicted(error);
    if (isRefusal(error)) return this.refused(error);
    if (++this.#failures >= this.ports.settings.tries) throw error;
    await this.#pause(this.ports.settings.retryMs * this.#failures);
  }

  /** A stream has moved on, or the commit says so: no failure, unless it happens again and again. */
  conflicted(error: unknown): void {
    if (++this.#conflicts > maxConflicts) throw error;
  }

  /** The commit has refused the step as a whole. */
  refusedAtCommit(problem: Problem): void {
    if (problem.code !== 'already-reserved') return this.refused(problem);
    this.conflicted(problem);
    this.#looksForNames = true;
  }

  refused(problem: Problem): void {
    if (this.#refusal !== undefined) throw new Unhandled(problem);
    this.#refusal = this.#hidesAll || this.#sensitive.length > 0 ? withoutDetail(problem) : problem;
  }

  #handle(step: OpenStep): ReturnType<CursorWork['handle']> {
    const { work, entry } = this;
    const name = this.#refusal === undefined ? work.name : `${work.name}/refused`;
    let sent = 0;
    const at = { step, looksForNames: this.#looksForNames };
    const stage = (command: Command): Promise<unknown> => {
      this.#hide(command.constructor.name, command);
      return stageCommand(command, this.#contextOf(name, sent++), at, this.ports);
    };
    const { messageId } = entry.event;
    return this.ports.code.run(work, messageId, () => work.handle(entry, stage, this.#refusal));
  }

  #hide(type: string, message: unknown): void {
    if (this.ports.isSensitive(type)) this.#sensitive.push(() => this.ports.secretsIn(type, message));
  }

  #contextOf(name: string, index: number): RequestContext {
    const { event, key } = this.entry;
    const scope = scopeOfEnvelope(event.scope);
    const context = new RequestContext({
      transport: 'reaction',
      cancellation: Cancellation.of(this.signal, this.ports.deadlineMs),
      messageId: commandIdOf(key.store, event.messageId, name, index),
      correlationId: event.correlationId ?? event.messageId,
      causationId: event.messageId,
      traceparent: event.traceparent,
      tracestate: event.tracestate,
      depth: (event.depth ?? 0) + 1,
      ...(scope === undefined ? {} : { scope }),
    });
    context.metadata['by'] = this.work.name;
    return context;
  }

  async #pause(ms: number): Promise<void> {
    await pause(ms, undefined, { signal: this.signal });
  }
}

/** Reported when a key leaves the line because it fails, and when it is parked. */
export function reactionFailed(
  { work, entry: { event } }: Pick<StepAttempt, 'work' | 'entry'>,
  error: ErrorSummary,
  { aside }: Marks,
): ReactionFailed | undefined {
  if (aside === undefined || (aside.from !== 0 && aside.state !== 'parked')) return undefined;
  return new ReactionFailed({
    reactionName: work.name,
    key: aside.key,
    eventId: event.messageId,
    eventType: event.messageType,
    error,
    attempt: aside.attempts,
    parked: aside.state === 'parked',
    timestamp: new Date().toISOString(),
  });
}

const ranStep = (step: OpenStep, done: StepAdditions | 'unmatched' | undefined): RanStep =>
  typeof done === 'object'
    ? { step, additions: done, outcome: 'handled' }
    : { step, additions: undefined, outcome: done ?? 'passed' };

const tooDeep = (): Problem =>
  new Problem('causation-too-deep', {
    detail: `More than ${maxDepth} reactions and timers follow each other without a request; look for two that answer each other.`,
  });
