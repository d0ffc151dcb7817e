import { fromCallback } from 'xstate';
import type { Command } from '../../contracts/message.js';
import { Problem } from '../../contracts/problems.js';
import type { Receptor } from '../../contracts/receptor.js';
import type { WeightOf } from '../../runtime/lang/tenant-weights.js';
import { isThenable } from '../../runtime/lang/thenable.js';
import { CommandKeys } from './command-keys.js';
import { keysOf } from './keys-of.js';
import type { QuarantinedCommands } from './quarantined-commands.js';
import type { RunningCommands } from './running-commands-shared-memory.js';
import { TenantShares } from './tenant-shares.js';
import { type QueuedCommand, WaitingCommands } from './waiting-commands.js';

export type HandlerMessage =
  | { readonly type: 'enter'; readonly attempt: QueuedCommand }
  /** It is decided: the next command with its key may run before it is committed. */
  | { readonly type: 'decided'; readonly attempt: QueuedCommand }
  | { readonly type: 'leave'; readonly attempt: QueuedCommand };

/** Protects a host from commands that block its event loop. */
export interface CommandGuard {
  readonly watch: RunningCommands;
  readonly quarantine: QuarantinedCommands;
}

interface HandlerInput {
  readonly name: string;
  readonly receptor: Receptor<Command, unknown>;
  /** Called once, with a function that returns the load. */
  readonly exposeLoad?: (load: () => HandlerLoad) => void;
  readonly guard?: CommandGuard | undefined;
  /** Shared by receptors with the same queue. Default: the receptor has keys of its own. */
  readonly keys?: CommandKeys | undefined;
  readonly weightOf?: WeightOf | undefined;
}

export interface HandlerLoad {
  readonly running: number;
  readonly waiting: number;
  /** The number of commands that may wait. */
  readonly mailbox: number;
  readonly byTenant: WaitingCommands['byTenant'];
}

const defaultConcurrency = 256;
const defaultMailbox = 1024;
/** What a busy handler gets done at least. */
const waitingPerSecond = 256;

/**
 * Handles commands of one type, with limits on running and waiting commands; commands with the same key run one at a
 * time.
 */
export const commandHandler = fromCallback<HandlerMessage, HandlerInput>(({ input, receive }) => {
  const slots = new CommandSlots(input);
  input.exposeLoad?.(() => slots.load);
  receive((message) => {
    if (message.type === 'enter') slots.enter(message.attempt);
    else if (message.type === 'decided') slots.decided(message.attempt);
    else slots.leave(message.attempt);
  });
  return () => {
    slots.refuseWaiting(new Problem('draining', { retryAfter: 1 }));
  };
});

class CommandSlots {
  readonly #receptor: Receptor<Command, unknown>;
  readonly #name: string;
  readonly #concurrency: number;
  readonly #mailbox: number;
  /**
   * Not a Set: a Set keeps replacing its table, and each dead table refers to the next. The first table that survives a
   * minor garbage collection would keep all later commands alive until a full one.
   */
  readonly #running: QueuedCommand[] = [];
  readonly #keys: CommandKeys;
  readonly #waiting: WaitingCommands;
  readonly #shares: TenantShares;
  readonly #guard: CommandGuard | undefined;
  readonly #number: number;

  constructor({ name, receptor, guard, keys = new CommandKeys(), weightOf }: HandlerInput) {
    this.#waiting = new WaitingCommands(weightOf);
    this.#receptor = receptor;
    this.#name = name;
    this.#concurrency = receptor.concurrency ?? defaultConcurrency;
    this.#mailbox = receptor.mailbox ?? defaultMailbox;
    this.#shares = new TenantShares(this.#concurrency);
    this.#guard = guard;
    this.#keys = keys;
    keys.join(this);
    this.#number = guard?.watch.register(name, receptor) ?? 0;
  }

  get load(): HandlerLoad {
    const { size: waiting, byTenant } = this.#waiting;
    return { running: this.#running.length, waiting, mailbox: this.#mailbox, byTenant };
  }

  enter(attempt: QueuedCommand): void {
    try {
      const key = this.#receptor.key?.(attempt.command);
      if (key !== undefined) this.#takeKeys(attempt, keysOf(key));
    } catch (error) {
      attempt.fail(error);
      return;
    }
    this.#shares.seen(attempt.tenant);
    const refusal = this.#guard?.quarantine.refusalOf(this.#name, attempt);
    if (refusal !== undefined) return attempt.fail(refusal);
    if (this.#hasSlotFor(attempt)) return this.#start(attempt);
    const itself = this.#outerWaitedFor(attempt);
    if (itself !== undefined) attempt.fail(waitsForItself(itself, attempt));
    else if (attempt.mustNotWait !== true && this.#hasRoomFor(attempt)) this.#wait(attempt);
    else attempt.fail(this.#overloaded(attempt));
  }

  /** In a full mailbox the tenant with the most waiting gives way, so that it does not shut out the others. */
  #hasRoomFor({ tenant }: QueuedCommand): boolean {
    if (this.#waiting.size < this.#mailbox) return true;
    const other = this.#mailbox === 0 ? undefined : this.#waiting.outnumbered(tenant);
    if (other === undefined) return false;
    const problem = this.#overloaded(other);
    other.status = 'none';
    this.#waiting.delete(other);
    this.#keys.givenUp(other);
    other.fail(problem);
    return this.#waiting.size < this.#mailbox;
  }

  /** The more of a tenant wait, the later it should come again. */
  #overloaded({ tenant, mustNotWait }: QueuedCommand): Problem {
    const detail =
      mustNotWait === true
        ? `${this.#name} is busy, and an earlier command of the step must not wait for it.`
        : `${this.#name} has ${this.#mailbox} commands waiting.`;
    const retryAfter = 1 + Math.floor(this.#waiting.waitingOf(tenant) / waitingPerSecond);
    return new Problem('overloaded', { detail, retryAfter });
  }

  /** The keys that its step does not already hold. */
  #takeKeys(attempt: QueuedCommand, all: readonly string[]): void {
    const { busy } = this.#keys;
    const keys = all.filter((key) => {
      const holder = busy.get(key);
      return holder === undefined || attempt.isInStepWith?.(holder) !== true;
    });
    attempt.key = keys[0];
    attempt.keys = keys.length > 1 ? keys : undefined;
  }

  decided(attempt: QueuedCommand): void {
    const { status, key, keys } = attempt;
    attempt.key = undefined;
    if (status === 'running' && key !== undefined) this.#keys.free(keys ?? [key], this);
  }

  leave(attempt: QueuedCommand): void {
    const { status, key, keys } = attempt;
    attempt.status = 'none';
    if (status === 'waiting') {
      this.#waiting.delete(attempt);
      this.#keys.givenUp(attempt);
      // It was given up: otherwise behaviors and observers would wait for it forever.
      attempt.fail(attempt.work.signal.reason);
    }
    if (status !== 'running') return;
    this.#free(attempt);
    this.#guard?.watch.ended(this.#number);
    if (key !== undefined) this.#keys.free(keys ?? [key], this);
    this.startWaiting();
  }

  refuseWaiting(problem: Problem): void {
    for (const attempt of this.#waiting.clear()) {
      this.#keys.endWait(attempt);
      attempt.fail(problem);
    }
  }

  #hasSlotFor(attempt: QueuedCommand): boolean {
    return this.#running.length < this.#concurrency && this.#mayTake(attempt) && this.#keys.admits(attempt);
  }

  /** What others of its tenant wait for takes any slot: they hold theirs until then. */
  #mayTake({ tenant, isNested, mustNotWait }: QueuedCommand): boolean {
    return isNested === true || mustNotWait === true || this.#shares.mayTake(tenant);
  }

  /** The outer command that this one would wait for, although it can end only after this one. */
  #outerWaitedFor(attempt: QueuedCommand): QueuedCommand | undefined {
    const { key, keys = key === undefined ? [] : [key] } = attempt;
    for (const one of keys) {
      const holder = this.#keys.busy.get(one);
      if (holder !== undefined && attempt.isInvokedBy(holder)) return holder;
    }
    if (this.#running.length < this.#concurrency) return undefined;
    return this.#running.every((other) => attempt.isInvokedBy(other)) ? this.#running[0] : undefined;
  }

  #wait(attempt: QueuedCommand): void {
    attempt.status = 'waiting';
    this.#waiting.add(attempt);
    this.#keys.wait(attempt);
  }

  startWaiting(): void {
    if (this.#waiting.size === 0) return;
    for (const attempt of this.#waiting.inTurn((command) => this.#mayTake(command))) {
      if (this.#running.length >= this.#concurrency) return;
      if (!this.#hasSlotFor(attempt)) continue;
      this.#waiting.take(attempt);
      this.#keys.endWait(attempt);
      this.#start(attempt);
    }
  }

  #start(attempt: QueuedCommand): void {
    attempt.status = 'running';
    attempt.slot = this.#running.push(attempt) - 1;
    this.#shares.take(attempt.tenant);
    this.#keys.hold(attempt);
    if (this.#guard === undefined) this.#handle(attempt);
    else this.#handleWatched(attempt, this.#guard.watch);
  }

  /** The last one moves to the free slot. */
  #free({ slot, tenant }: QueuedCommand): void {
    this.#shares.giveBack(tenant);
    const last = this.#running.pop();
    if (last === undefined || last.slot === slot) return;
    last.slot = slot;
    this.#running[slot] = last;
  }

  #handleWatched(attempt: QueuedCommand, watch: RunningCommands): void {
    watch.started(this.#number);
    const before = watch.enter(this.#number, attempt);
    this.#handle(attempt);
    watch.leave(before);
  }

  #handle(attempt: QueuedCommand): void {
    try {
      attempt.begin?.();
      const result = this.#receptor.handle(attempt.command, attempt.work);
      if (!isThenable(result)) attempt.succeed(result);
      else {
        result.then(
          (value) => attempt.succeed(value),
          (error: unknown) => attempt.fail(error),
        );
      }
    } catch (error) {
      attempt.fail(error);
    }
  }
}

function waitsForItself(outer: QueuedCommand, { command, ...inner }: QueuedCommand): Problem {
  const [own, other] = [command.constructor.name, outer.command.constructor.name];
  const held = outer.keys ?? [outer.key];
  const key = (inner.keys ?? [inner.key]).find((one) => one !== undefined && held.includes(one));
  const detail =
    key !== undefined
      ? `${own} has the same key, '${key}', as ${other}, which invoked it and holds the key until it ends; use another key, or do the work in ${other} itself.`
      : `${own} is invoked by ${other}, which holds the last slot until ${own} ends; raise the concurrency, or do the work in ${other} itself.`;
  return new Problem('waits-for-itself', { detail });
}
