import type { Decode } from './codec.js';
import type { Command, Event, MessageClass } from './message.js';
import type { PerspectiveScope } from './perspective-scope.js';
import { Problem } from './problems.js';
import type { Duration, Json, Timestamp, Uuid } from './scalars.js';

/**
 * One attempt to call another system.
 *
 * @example
 * ```ts
 * const answer = await charge(amount, { idempotencyKey: id, signal });
 * await progress({ uploaded: 3 });
 * ```
 */
export interface EffectCall {
  /** The same for every attempt of one request: hand it on as the idempotency key of the other system. */
  readonly id: Uuid;
  /** From 1. An attempt that ended with its host counts. */
  readonly attempt: number;
  readonly askedAt: Timestamp;
  /** Whose data it is about: tenant and user of the request that led to it. */
  readonly scope: PerspectiveScope;
  readonly correlationId: string;
  /** Aborts when the request is cancelled, its time is over, the host stops, or another host has taken it over. */
  readonly signal: AbortSignal;
  /** What an earlier attempt has left with `progress`. */
  readonly last: Json | undefined;
  /** Keeps up to 4 KiB for the next attempt, such as the parts that are uploaded. False: the request was cancelled. */
  progress(detail: Json): Promise<boolean>;
}

/** How often a failed call is tried again. Every pause has full jitter. */
export interface Retries {
  /** Before it is given up (default 8); unlimited with `for`. */
  readonly attempts?: number;
  /** The first pause (default PT2S); it doubles. */
  readonly first?: Duration;
  /** The longest pause (default PT5M, at most P1D). */
  readonly most?: Duration;
  /** Tries again until this long after it was asked for (at most P30D). */
  readonly for?: Duration;
}

/** At most so many calls begin in each span. */
export interface Rate {
  readonly calls: number;
  readonly per: Duration;
}

/**
 * Does a command by calling another system, outside of any commit. What it returns is stored as events, with the end of the
 * request, in one commit. It is called at least once, and its outcome is stored exactly once.
 *
 * @example
 * ```ts
 * class ReceiptPrinter implements Effect<PrintReceipt> {
 *   readonly name = 'receipt-printer';
 *   call = ({ orderId }: PrintReceipt, { id, signal }: EffectCall) => print(orderId, { key: id, signal });
 * }
 * ```
 */
export interface Effect<TRequest extends Command, TDone extends Event | void = void> {
  /** In kebab-case. */
  readonly name: string;
  call(request: TRequest, call: EffectCall): Promise<TDone extends Event ? TDone | readonly TDone[] : void>;
  /** The stream of the events that it leads to; not needed by an effect that returns none. */
  stream?(request: TRequest): Uuid;
  /** What is stored when it is given up or refused; without it the request is parked, unless a process has invoked it. */
  failed?(request: TRequest, problem: Problem): Event | readonly Event[];
  /** For one attempt (default PT30S, at most P1D). */
  readonly timeout?: Duration;
  readonly retries?: Retries;
  /** At once, on all hosts together; unset: 64 on each host. A call counts until it ends, also after its timeout. */
  readonly concurrency?: number;
  /** On all hosts together. */
  readonly rate?: Rate;
  /** Requests of one lane take turns with those of others; a lane is of one tenant, and by default all of that. */
  lane?(request: TRequest, scope: PerspectiveScope): string;
  /** At once in one lane (default 8); 1: one after another, in the order in which they were asked for. */
  readonly perLane?: number;
  readonly laneRate?: Rate;
}

/** An effect whose types do not matter. */
export interface AnyEffect extends Pick<
  Effect<Command>,
  'name' | 'timeout' | 'retries' | 'concurrency' | 'rate' | 'perLane' | 'laneRate'
> {
  call(request: never, call: EffectCall): Promise<unknown>;
  stream?(request: never): Uuid;
  failed?(request: never, problem: Problem): Event | readonly Event[];
  lane?(request: never, scope: PerspectiveScope): string;
}

/** An effect and the command that it does. */
export interface EffectRegistration {
  readonly command: MessageClass<Command>;
  readonly effect: AnyEffect;
  /** Reads what an earlier version may have stored; without it nothing is checked. */
  readonly decode?: Decode<Command>;
}

/**
 * The other system said no: trying again would not help.
 *
 * @example
 * ```ts
 * const { status } = await send(text, { key: id, signal });
 * if (status === 422) throw new EffectRefused('number-not-valid');
 * ```
 */
export class EffectRefused extends Problem {
  constructor(code: string, detail?: string) {
    super(code, { status: 422, ...(detail === undefined ? {} : { detail }) });
  }
}

/**
 * The other system asked for patience (429, or 503 with Retry-After): that does not count as an attempt. It may do so for
 * as long as `retries.for`, or 30 days.
 *
 * @example
 * ```ts
 * const { status, retryAfter } = await send(text, { key: id, signal });
 * if (status === 429) throw new TryLater(`PT${retryAfter}S`);
 * ```
 */
export class TryLater extends Error {
  constructor(readonly after: Duration) {
    super(`The other system asked to try again after ${after}.`);
  }
}
