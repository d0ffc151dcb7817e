import { type EffectCall, EffectRefused, TryLater } from '../../contracts/effect.js';
import { type ClaimedEffect, mostLost } from '../../contracts/effect-store.js';
import type { Command, Event } from '../../contracts/message.js';
import { Problem } from '../../contracts/problems.js';
import type { Json, Uuid } from '../../contracts/scalars.js';
import type { Sealing } from '../../contracts/sealing.js';
import type { KnownEffect } from '../../runtime/effects/known-effect.js';
import { failpoint } from '../../runtime/lang/failpoint.js';
import { isStorable } from '../../runtime/lang/storable-text.js';
import { retryDelayMs } from '../../runtime/lang/retry-delay.js';
import { log } from '../../runtime/logging/log.js';
import type { Secrets } from '../../runtime/logging/secrets.js';
import { type HasWebhookHost, webhookHost, type WebhookHost } from '../../runtime/webhooks/webhook-host.js';
import { isPassing } from '../commands/passing-errors.js';
import type { BlockingCode } from '../steps/blocking-code.js';
import { Unhandled } from '../steps/step-errors.js';
import { lineOf, loggedFailure, stepFailure } from '../steps/step-failure.js';
import { eventsOf, laterMs, leastLaterMs, refusalOf } from './call-answers.js';
import type { Claim, Claims, Ended } from './claims.js';
import { dueContext } from './due-context.js';
import type { AttemptEnd } from './effect-machine.js';
import type { EffectOutcomes } from './effect-outcome.js';
import { fittingRequest, requestedCommand } from './effect-request.js';

export interface AttemptPorts {
  readonly outcomes: EffectOutcomes;
  readonly claims: Claims;
  readonly code: BlockingCode;
  readonly sealing: Sealing | undefined;
  readonly isSensitive: (type: string) => boolean;
  readonly secretsIn: (type: string, message: object) => Secrets | undefined;
  readonly webhooks?: WebhookHost | undefined;
}

const maxProgressBytes = 4_096;

/** One attempt of a host to do a request: the call, and what its answer leads to. */
export class EffectAttempt {
  /** Its signal takes 15 µs to make: that is left to calls that use it. */
  readonly #controller = new AbortController();
  #endCall: ((reason: Problem) => void) | undefined;
  /** Whether the attempt must end; that a call took too long does not end it. */
  readonly #lost = { aborted: false };
  readonly #claim: Claim;
  readonly #from = performance.now();
  #ended: Ended | undefined;
  /** Known when the claim ends: before its time nobody else could have it. */
  #wasCancelled: boolean | undefined;
  #command: Command | undefined;
  /** With the values of subjects. */
  #plain: Command | undefined;
  #answered: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly claimed: ClaimedEffect,
    private readonly known: KnownEffect,
    askedAt: number,
    private readonly ports: AttemptPorts,
  ) {
    this.#claim = ports.claims.add(claimed, askedAt, (why) => {
      this.#ended ??= why;
      this.#wasCancelled ??= why === 'gone' && performance.now() < this.#claim.endsAt;
      this.#lost.aborted = true;
      this.#abort(timerGone(why));
    });
  }

  /** `answered` is called when the other system has answered: its outcome is still to be stored. */
  async run(answered: () => void): Promise<AttemptEnd> {
    try {
      failpoint('effect-claimed');
      const { claims, attempts, name } = this.claimed;
      if (claims - attempts > mostLost)
        throw new Unhandled(
          new Problem('effect-lost', {
            detail: `${claims - attempts - 1} hosts died, or froze, during the call of ${name}.`,
          }),
        );
      const command = (this.#command = requestedCommand(this.claimed, this.known));
      const plain = (this.#plain = await this.#opened(command));
      const events = await this.#called(plain);
      answered();
      failpoint('effect-called');
      return (await this.#store(command, plain, events)) ? 'done' : this.#dropped();
    } catch (error) {
      return await this.#failed(error);
    } finally {
      this.ports.claims.remove(this.#claim);
    }
  }

  /** Resolves when no call is in flight: one that does not heed its signal may continue after the attempt. */
  get answered(): Promise<unknown> {
    return this.#answered;
  }

  async #opened(command: Command): Promise<Command> {
    const { sealing } = this.ports;
    // A value whose key was destroyed fits no type.
    return sealing?.has(command.constructor.name) === true
      ? sealing.openCommand(command)
      : fittingRequest(this.known, command);
  }

  /** What the effect returns, unless the call is ended first. */
  async #called(request: Command): Promise<readonly Event[]> {
    const { effect, timeoutMs } = this.known;
    const call = this.#callOf();
    if (this.#ended !== undefined) throw timerGone(this.#ended);
    const ended = new Promise<never>((_, reject) => {
      this.#endCall = reject;
    });
    const timer = setTimeout(() => {
      this.#abort(new Problem('effect-timeout', { detail: `No answer within ${timeoutMs} ms.` }));
    }, timeoutMs);
    const work = { kind: 'effect', name: effect.name };
    let answer: Promise<unknown> | undefined;
    try {
      answer = this.ports.code.run(work, this.claimed.id, async () => effect.call(request as never, call));
      this.#answered = answer.catch(() => undefined);
      return eventsOf(await Promise.race([answer, ended]), effect.name);
    } catch (error) {
      if (this.#ended === 'gone')
        void answer?.then(
          () => this.#dropped(),
          () => undefined,
        );
      throw error;
    } finally {
      clearTimeout(timer);
      this.#endCall = undefined;
    }
  }

  #abort(reason: Problem): void {
    this.#controller.abort(reason);
    this.#endCall?.(reason);
  }

  #callOf(): EffectCall & HasWebhookHost {
    const controller = this.#controller;
    const { id, claims, askedAt, progress, ageMs } = this.claimed;
    const { scope, correlationId } = dueContext(this.claimed, { messageId: id, waitedMs: ageMs });
    return {
      id,
      attempt: claims,
      askedAt,
      scope,
      correlationId,
      get signal() {
        return controller.signal;
      },
      last: progress,
      progress: (detail) => this.#progress(detail),
      [webhookHost]: this.ports.webhooks,
    };
  }

  async #progress(detail: Json): Promise<boolean> {
    const text = JSON.stringify(detail) ?? '';
    if (Buffer.byteLength(text) > maxProgressBytes || !isStorable(text))
      throw new Problem('effect-invalid', {
        detail: `What progress keeps may have ${maxProgressBytes} bytes, and no U+0000.`,
      });
    return this.#ended === undefined && this.ports.claims.keep(this.#claim, detail);
  }

  async #store(
    command: Command,
    plain: Command,
    events: readonly Event[],
    problem?: Problem,
  ): Promise<boolean> {
    const streamId = events.length === 0 ? undefined : this.known.effect.stream?.(plain as never);
    if (events.length > 0 && streamId === undefined)
      throw new Unhandled(
        new Problem('effect-invalid', { detail: `${this.claimed.name} returned events, and has no stream.` }),
      );
    return this.ports.outcomes.store({
      claimed: this.claimed,
      claim: this.#claim,
      command,
      outcome: { streamId, events, problem },
      signal: this.#lost,
    });
  }

  async #failed(error: unknown): Promise<AttemptEnd> {
    if (this.#ended === 'gone') return 'gone';
    const { attempts, claims } = this.claimed;
    if (this.#ended === 'stopped') return this.#again('stopped', 0, null, attempts);
    const failure = this.#failureOf(error);
    if (error instanceof Unhandled) return this.#parked(failure, error);
    // Nothing was called: the other system has not failed because a part of this host is away.
    if (this.#plain === undefined && isPassing(error))
      return this.#again('later', leastLaterMs, lineOf(failure), attempts);
    if (error instanceof EffectRefused) return this.#givenUp(refusalOf(error, failure), error);
    const age = this.claimed.ageMs + performance.now() - this.#from;
    const { firstMs, mostMs, forMs } = this.known;
    if (error instanceof TryLater) {
      const afterMs = laterMs(error);
      if (age + afterMs <= forMs) return this.#again('later', afterMs, lineOf(failure), attempts);
    }
    const pauseMs = retryDelayMs(claims, Math.random(), firstMs, mostMs);
    if (claims >= this.known.attempts || age + pauseMs > forMs) {
      const { code = 'effect-failed', message: detail } = failure;
      return this.#givenUp(new Problem(code, { status: 502, detail }), error);
    }
    log.warn(
      { ...this.#logged, attempt: claims, err: loggedFailure(failure, error) },
      'an effect failed; it is tried again',
    );
    return this.#again('retrying', pauseMs, lineOf(failure), claims);
  }

  /** The effect may say with which events it ends. */
  async #givenUp(problem: Problem, error: unknown): Promise<AttemptEnd> {
    const { effect } = this.known;
    const [command, plain] = [this.#command, this.#plain];
    const isInvoked = 'invoke' in (this.claimed.context as object);
    if ((effect.failed === undefined && !isInvoked) || command === undefined || plain === undefined)
      return this.#parked(this.#failureOf(problem), error);
    try {
      const events = eventsOf(effect.failed?.(plain as never, problem), effect.name);
      return (await this.#store(command, plain, events, problem)) ? 'failed' : 'gone';
    } catch (thrown) {
      return this.#parked(this.#failureOf(thrown), thrown);
    }
  }

  async #parked(failure: ReturnType<typeof stepFailure>, error: unknown): Promise<AttemptEnd> {
    log.error({ ...this.#logged, err: loggedFailure(failure, error) }, 'an effect is parked');
    return (await this.ports.outcomes.park(this.claimed, this.#claim, failure)) ? 'parked' : 'gone';
  }

  async #again(end: AttemptEnd, inMs: number, error: string | null, attempts: number): Promise<AttemptEnd> {
    return (await this.ports.outcomes.tryAgain(this.#claim, inMs, error, attempts)) ? end : 'gone';
  }

  /** Before the claim ended nobody else could have it: it was cancelled or replaced. */
  async #dropped(): Promise<AttemptEnd> {
    if (this.#ended !== 'stopped' && (this.#wasCancelled ?? performance.now() < this.#claim.endsAt))
      await this.ports.outcomes.drop(this.claimed);
    return 'gone';
  }

  #failureOf(error: unknown): ReturnType<typeof stepFailure> {
    const { name: type } = this.known.command;
    const isHidden = this.ports.isSensitive(type);
    const secrets =
      isHidden && this.#command !== undefined ? this.ports.secretsIn(type, this.#command) : undefined;
    // What was sealed is opened for the call alone: its values are not known here.
    const isSealed = this.ports.sealing?.has(type) === true;
    return stepFailure(error, isSealed ? 'any' : isHidden ? (secrets ?? 'any') : undefined);
  }

  get #logged(): { readonly effect: string; readonly request: Uuid } {
    return { effect: this.claimed.name, request: this.claimed.id };
  }
}

const timerGone = (why: Ended): Problem => new Problem('timer-gone', { detail: endedBecause[why] });

const endedBecause: Readonly<Record<Ended, string>> = {
  gone: 'The request was cancelled, or another host has taken it over.',
  stopped: 'The host stops.',
};
