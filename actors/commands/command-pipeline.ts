import type { Command } from '../../contracts/message.js';
import { Problem } from '../../contracts/problems.js';
import type { Behavior } from '../../contracts/receptor.js';
import type { Long } from '../../contracts/scalars.js';
import { outcomeWith, type StagedRecord, type UnitStore } from '../../contracts/unit-store.js';
import { observed, type Observer } from '../../runtime/request/observer.js';
import { type RequestContext, runOf } from '../../runtime/request/request-context.js';
import type { Cancellation } from '../../runtime/lang/cancellation.js';
import { isThenable } from '../../runtime/lang/thenable.js';
import { spans } from '../../runtime/request/spans.js';
import { StagedUnit, type UnitStaging } from '../../runtime/unit/unit-of-work.js';
import { CommandAttempt, type Handler } from './command-attempt.js';
import { Overturned } from './key-line.js';
import { EffectReceptor } from './effect-receptor.js';
import { commitKeyed, committedBefore, errorOf, passed } from './keyed-commit.js';
import type { OpenStep } from './open-step.js';

export interface PipelinePorts {
  readonly store: UnitStore;
  /** Outermost first. */
  readonly behaviors?: readonly Behavior[];
  readonly staging?: UnitStaging;
  /** Default: the spans of the application's SDK. */
  readonly observer?: Observer;
  /** Called with the records of a unit after its commit. */
  readonly committed?: (records: readonly StagedRecord[]) => void;
  /** Called when a task that a receptor deferred fails, after the response was sent. */
  readonly onDeferredFailure?: (error: unknown, context: RequestContext, command: Command) => void;
}

/** Passes a command through the behaviors to its handler, in one unit of work with one commit. */
export class CommandPipeline {
  readonly #ports: PipelinePorts;
  readonly #observer: Observer;

  constructor(ports: PipelinePorts) {
    this.#ports = ports;
    this.#observer = ports.observer ?? spans;
  }

  async run(handler: Handler, command: Command, context: RequestContext): Promise<unknown> {
    const before = committedBefore(context);
    if (before !== undefined) await before;
    let triesLeft = handler.receptor.retryOnConflict ?? 0;
    let isAlone = false;
    const run = runOf(context);
    for (let isRepeated = false; ; isRepeated = true) {
      const work = new StagedUnit(context, this.#ports.store, this.#ports.staging);
      const attempt = new CommandAttempt(command, context, work, handler, undefined, isAlone);
      work.isRepeated = isRepeated;
      run.unit = work;
      run.refusal = undefined;
      try {
        const pending = this.#handled(attempt);
        const result = isThenable(pending) ? await rejectWhenAborted(pending, context.cancellation) : pending;
        run.alsoAppends?.(work, result);
        if (this.#mustCommit(work)) await this.#commit(work, attempt, result, handler);
        else if (attempt.standing !== undefined) await passed(attempt, handler);
        this.stored(work, command);
        return result;
      } catch (thrown) {
        const error = attempt.standing === undefined ? thrown : await errorOf(thrown, attempt, handler);
        if (error instanceof Overturned) isAlone = error.isAlone;
        else if (triesLeft-- <= 0 || !(error instanceof Problem) || error.code !== 'stream-conflict')
          throw error;
      } finally {
        // The context keeps the unit: code that still runs after the abort finds it closed.
        work.close();
        handler.actor.send({ type: 'leave', attempt });
      }
    }
  }

  /** Runs a command as part of a step. It leaves its handler when the step ends. */
  async stage(handler: Handler, command: Command, context: RequestContext, step: OpenStep): Promise<unknown> {
    const { store, staging } = this.#ports;
    const before = step.staged.parts.length;
    const work = new StagedUnit(context, store, staging, step.staged);
    const attempt = new CommandAttempt(command, context, work, handler, step.staged);
    runOf(context).unit = work;
    const leave = (): void => handler.actor.send({ type: 'leave', attempt });
    try {
      const pending = this.#handled(attempt);
      const result = isThenable(pending) ? await rejectWhenAborted(pending, context.cancellation) : pending;
      if (context.cancellation.aborted) throw context.cancellation.reason;
      work.close();
      step.add(work, command, leave);
      return result;
    } catch (error) {
      work.close();
      step.discardAfter(before);
      leave();
      throw error;
    }
  }

  /** Returns a synchronous result without awaiting it. */
  #handled(attempt: CommandAttempt): unknown {
    const { handler, work, command, context } = attempt;
    // An effect does its command after the commit: until then it is asked for, and neither handled nor audited.
    if (handler.receptor instanceof EffectReceptor && runOf(context).outcome === undefined) {
      work.ask(command);
      return undefined;
    }
    const visit = (attempt.visit = this.#observer.entered('handler', attempt));
    return visit === undefined
      ? this.#throughBehaviors(attempt, 0)
      : observed(visit, () => this.#throughBehaviors(attempt, 0));
  }

  /** Through this behavior and those inside it. */
  #throughBehaviors(attempt: CommandAttempt, index: number): unknown {
    const behavior = this.#ports.behaviors?.[index];
    if (behavior === undefined) return attempt.send();
    const next = async (): Promise<unknown> => this.#throughBehaviors(attempt, index + 1);
    return behavior.handle(attempt.command, next, attempt.context);
  }

  #mustCommit(work: StagedUnit): boolean {
    const { cancellation, idempotency } = work.context;
    if (cancellation.aborted) throw cancellation.reason;
    work.close();
    return idempotency !== undefined || !work.isEmpty;
  }

  async #commit(work: StagedUnit, attempt: CommandAttempt, result: unknown, handler: Handler): Promise<void> {
    const { context } = work;
    const { idempotency } = context;
    if (idempotency !== undefined) {
      const { key, fingerprint, encode } = idempotency;
      work.outcome = { key, fingerprint, ...outcomeWith(encode(result)) };
    }
    const visit = this.#observer.entered('store', attempt);
    const send = (): Promise<void> => this.#send(attempt, handler);
    await (visit === undefined ? send() : observed(visit, send));
    const from = work.events[0]?.globalPosition;
    runOf(context).committed = { from, to: lastPositionOf(work), outcome: work.outcome };
    this.#ports.committed?.(work.records);
  }

  #send(attempt: CommandAttempt, handler: Handler): Promise<void> {
    const { work, key, context } = attempt;
    const { store } = this.#ports;
    return key === undefined
      ? store.commit(work, context.cancellationToken)
      : commitKeyed(attempt, handler, store);
  }

  /** After the commit. */
  stored(work: StagedUnit, command: Command): void {
    work.stored();
    if (work.deferred.length > 0) this.#runDeferred(work, command);
  }

  #runDeferred(work: StagedUnit, command: Command): void {
    for (const task of work.deferred) {
      void (async () => task())().catch((error: unknown) =>
        this.#ports.onDeferredFailure?.(error, work.context, command),
      );
    }
  }
}

/** The records of a unit follow its events without a gap. */
function lastPositionOf({ events, records, end }: StagedUnit): Long | undefined {
  if (end !== undefined) return end;
  const last = events.at(-1)?.globalPosition;
  return last === undefined ? undefined : last + records.length;
}

/** Stops waiting for a handler or a behavior when its request is aborted. */
function rejectWhenAborted<T>(work: PromiseLike<T>, cancellation: Cancellation): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const before = cancellation.listen(() => {
      reject(cancellation.reason);
    });
    work.then(
      (value) => {
        cancellation.listen(before);
        resolve(value);
      },
      (error: unknown) => {
        cancellation.listen(before);
        reject(error);
      },
    );
  });
}
