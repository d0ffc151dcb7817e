import { setTimeout as pause } from 'node:timers/promises';
import { EffectDropped, EffectFailed } from '../../contracts/events/effect.js';
import type { ErrorSummary } from '../../contracts/events/error.js';
import type { ClaimedEffect, EffectStore } from '../../contracts/effect-store.js';
import type { Command } from '../../contracts/message.js';
import { Problem, type ProblemCode } from '../../contracts/problems.js';
import type { SystemMessage } from '../../contracts/system-messages.js';
import type { StagedRecord, UnitStore } from '../../contracts/unit-store.js';
import { failpoint } from '../../runtime/lang/failpoint.js';
import { outcomeTimer } from '../../runtime/effects/invoked.js';
import { nowText } from '../../runtime/lang/now-text.js';
import { log } from '../../runtime/logging/log.js';
import { type EffectOutcome, runOf } from '../../runtime/request/request-context.js';
import { StagedStep } from '../../runtime/unit/staged-step.js';
import type { LocalDispatcher } from '../commands/dispatcher.js';
import { runsAgain } from '../commands/passing-errors.js';
import { Unhandled } from '../steps/step-errors.js';
import { lineOf } from '../steps/step-failure.js';
import type { Claim, Claims } from './claims.js';
import { dueContext } from './due-context.js';

export interface OutcomePorts {
  readonly dispatcher: Pick<LocalDispatcher, 'openStep' | 'stage'>;
  readonly store: Pick<UnitStore, 'commit'>;
  readonly effects: EffectStore;
  readonly claims: Claims;
  /** Undefined: system messages of this type are not enabled. */
  readonly recordOf: (message: SystemMessage) => StagedRecord | undefined;
  /** Called with the records of a unit after its commit. */
  readonly committed: (records: readonly StagedRecord[]) => void;
  readonly deadlineMs: number;
}

/** What a request led to. */
interface Answer {
  readonly claimed: ClaimedEffect;
  readonly claim: Claim;
  readonly command: Command;
  readonly outcome: EffectOutcome;
  /** Aborts when the request is not this host's any more. */
  readonly signal: Pick<AbortSignal, 'aborted'>;
}

const retryMs = 250;
/** About a minute. */
const dropAttempts = 20;

/** Writes how requests end: events and the end of the row in one commit, or the row alone. */
export class EffectOutcomes {
  constructor(private readonly ports: OutcomePorts) {}

  /**
   * Stores the events and ends the request; false: another host has it, or it was cancelled. The other system is not
   * called again because this store is busy: that is tried until the claim ends.
   */
  async store(answer: Answer): Promise<boolean> {
    const { claim, signal } = answer;
    let isUnknown = false;
    for (;;) {
      try {
        return (await this.#storeOnce(answer)) || isUnknown;
      } catch (error) {
        // An attempt to store it may have succeeded without an answer.
        if (isCode(error, 'timer-gone')) return isUnknown;
        if (!runsAgain(error)) throw new Unhandled(error);
        isUnknown ||= isCode(error, 'outcome-unknown');
        if (signal.aborted || performance.now() > claim.endsAt) return isUnknown;
        this.ports.claims.continues(claim);
        await pause(retryMs);
      }
    }
  }

  async #storeOnce({ claimed, claim, command, outcome, signal }: Answer): Promise<boolean> {
    const { dispatcher, store, claims, committed, deadlineMs } = this.ports;
    const context = dueContext(claimed, { messageId: claimed.id, waitedMs: claimed.ageMs, deadlineMs });
    context.metadata['responseType'] = outcome.events.map((event) => event.constructor.name).join(', ');
    runOf(context).outcome = outcome;
    const awaited = outcomeTimer(claimed, outcome.problem ?? outcome.events);
    const step = dispatcher.openStep();
    try {
      await dispatcher.stage(command, context, step);
      const firedAt = await claims.settled(claim, signal);
      if (firedAt === undefined) return false;
      const unit = step.staged.unit({
        ended: [{ id: claimed.id, firedAt }],
        timers: awaited === undefined ? [] : [awaited],
      });
      await store.commit(unit);
      failpoint('effect-after-commit');
      committed(unit.records);
      step.stored();
      return true;
    } finally {
      step.discardAfter(0);
    }
  }

  /** Waits for an operator. */
  async park(claimed: ClaimedEffect, claim: Claim, failure: ErrorSummary): Promise<boolean> {
    const { effects, claims, recordOf, committed } = this.ports;
    const { id, name, lane, claims: attempt } = claimed;
    const about = { effectName: name, requestId: id, lane, attempt, timestamp: nowText() };
    const record = recordOf(new EffectFailed({ ...about, error: failure, parked: true }));
    const dueAt = await claims.settled(claim, AbortSignal.timeout(this.ports.deadlineMs));
    const parked =
      dueAt !== undefined &&
      (await effects.park({ id, dueAt }, { error: lineOf(failure), attempts: attempt, record }));
    if (parked && record !== undefined) committed([record]);
    return parked;
  }

  async tryAgain(claim: Claim, inMs: number, error: string | null, attempts: number): Promise<boolean> {
    const { effects, claims, deadlineMs } = this.ports;
    const dueAt = await claims.settled(claim, AbortSignal.timeout(deadlineMs));
    if (dueAt === undefined) return false;
    return effects.tryAgain({ id: claim.id, dueAt }, { inMs, error, attempts });
  }

  /** The other system has done what was cancelled or replaced meanwhile: an operator has to know. */
  async drop({ id, name, lane, claims: attempt }: ClaimedEffect): Promise<void> {
    const { store, recordOf, committed } = this.ports;
    const dropped = { effectName: name, requestId: id, lane, attempt, timestamp: nowText() };
    log.warn({ effect: name, request: id }, 'an answer came for a request that was cancelled');
    const record = recordOf(new EffectDropped(dropped));
    if (record === undefined) return;
    const unit = new StagedStep().unit({}, [record]);
    for (let nth = 1; ; nth++) {
      try {
        await store.commit(unit);
        return committed(unit.records);
      } catch (err) {
        if (nth < dropAttempts && runsAgain(err)) await pause(nth * retryMs);
        else return log.error({ effect: name, request: id, err }, 'a dropped answer could not be recorded');
      }
    }
  }
}

const isCode = (error: unknown, code: ProblemCode): boolean =>
  error instanceof Problem && error.code === code;
