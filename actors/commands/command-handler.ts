import { fromCallback } from 'xstate';
import type { Command } from '../../contracts/message.js';
import { Problem } from '../../contracts/problems.js';
import type { Receptor, UnitOfWork } from '../../contracts/receptor.js';
import { isThenable } from '../../runtime/thenable.js';
import type { QuarantinedCommands } from './quarantined-commands.js';
import type { RunningCommands, CommandIdentity } from './running-commands-shared-memory.js';

/** One command in its handler; it holds its slot until it leaves. */
export interface QueuedCommand extends CommandIdentity {
  readonly signal: AbortSignal;
  readonly work: UnitOfWork;
  /** Managed by the handler. */
  status: 'none' | 'waiting' | 'running';
  /** Where it is among the running commands. */
  slot: number;
  key: string | undefined;
  /** Whether the other command invoked this one, directly or through others, and so ends only after it. */
  isInvokedBy(other: QueuedCommand): boolean;
  /** Called when a slot is free. */
  begin?(): void;
  succeed(result: unknown): void;
  fail(error: unknown): void;
}

export type HandlerMessage =
  | { readonly type: 'enter'; readonly ticket: QueuedCommand }
  | { readonly type: 'leave'; readonly ticket: QueuedCommand };

/** Protects a host from commands that block its event loop. */
export interface CommandGuard {
  readonly watch: RunningCommands;
  readonly quarantine: QuarantinedCommands;
}

interface HandlerInput {
  readonly name: string;
  readonly receptor: Receptor<Command, unknown>;
  /** Receives, once, a function that returns the load. */
  readonly exposeLoad?: (load: () => HandlerLoad) => void;
  readonly guard?: CommandGuard | undefined;
}

export interface HandlerLoad {
  readonly running: number;
  readonly waiting: number;
  /** How many commands may wait. */
  readonly mailbox: number;
}

const defaultConcurrency = 256;
const defaultMailbox = 1024;

/**
 * Handles commands of one type, with limits on running and waiting commands; commands with the same key run one at a
 * time.
 */
export const commandHandler = fromCallback<HandlerMessage, HandlerInput>(({ input, receive }) => {
  const slots = new CommandSlots(input);
  input.exposeLoad?.(() => slots.load);
  receive((message) => {
    if (message.type === 'enter') slots.enter(message.ticket);
    else slots.leave(message.ticket);
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
   * Not a Set: that one replaces its table again and again, each dead table refers to the next one, and so the first
   * that survived a collection keeps all later commands alive until a full one.
   */
  readonly #running: QueuedCommand[] = [];
  readonly #busyKeys = new Map<string, QueuedCommand>();
  readonly #waiting = new Set<QueuedCommand>();
  readonly #guard: CommandGuard | undefined;
  readonly #number: number;

  constructor({ name, receptor, guard }: HandlerInput) {
    this.#receptor = receptor;
    this.#name = name;
    this.#concurrency = receptor.concurrency ?? defaultConcurrency;
    this.#mailbox = receptor.mailbox ?? defaultMailbox;
    this.#guard = guard;
    this.#number = guard?.watch.register(name, receptor) ?? 0;
  }

  get load(): HandlerLoad {
    return { running: this.#running.length, waiting: this.#waiting.size, mailbox: this.#mailbox };
  }

  enter(ticket: QueuedCommand): void {
    try {
      ticket.key = this.#receptor.key?.(ticket.command);
    } catch (error) {
      ticket.fail(error);
      return;
    }
    const refusal = this.#guard?.quarantine.refusalOf(this.#name, ticket);
    if (refusal !== undefined) return ticket.fail(refusal);
    if (this.#hasSlotFor(ticket)) return this.#start(ticket);
    const itself = this.#outerWaitedFor(ticket);
    if (itself !== undefined) ticket.fail(waitsForItself(itself, ticket));
    else if (this.#waiting.size < this.#mailbox) this.#wait(ticket);
    else
      ticket.fail(
        new Problem('overloaded', {
          detail: `${this.#name} has ${this.#mailbox} commands waiting.`,
          retryAfter: 1,
        }),
      );
  }

  leave(ticket: QueuedCommand): void {
    const { status, key } = ticket;
    ticket.status = 'none';
    if (status === 'waiting') this.#waiting.delete(ticket);
    if (status !== 'running') return;
    this.#free(ticket);
    this.#guard?.watch.ended(this.#number);
    if (key !== undefined) this.#busyKeys.delete(key);
    if (this.#waiting.size > 0) this.#startWaiting();
  }

  refuseWaiting(problem: Problem): void {
    for (const ticket of this.#waiting) ticket.fail(problem);
    this.#waiting.clear();
  }

  #hasSlotFor({ key }: QueuedCommand): boolean {
    return this.#running.length < this.#concurrency && (key === undefined || !this.#busyKeys.has(key));
  }

  /** The outer command that this one would wait for, although that command can end only after this one. */
  #outerWaitedFor(ticket: QueuedCommand): QueuedCommand | undefined {
    const holder = ticket.key === undefined ? undefined : this.#busyKeys.get(ticket.key);
    if (holder !== undefined && ticket.isInvokedBy(holder)) return holder;
    if (this.#running.length < this.#concurrency) return undefined;
    return this.#running.every((other) => ticket.isInvokedBy(other)) ? this.#running[0] : undefined;
  }

  #wait(ticket: QueuedCommand): void {
    ticket.status = 'waiting';
    this.#waiting.add(ticket);
  }

  #startWaiting(): void {
    for (const ticket of this.#waiting) {
      if (this.#running.length >= this.#concurrency) return;
      if (!this.#hasSlotFor(ticket)) continue;
      this.#waiting.delete(ticket);
      this.#start(ticket);
    }
  }

  #start(ticket: QueuedCommand): void {
    ticket.status = 'running';
    ticket.slot = this.#running.push(ticket) - 1;
    if (ticket.key !== undefined) this.#busyKeys.set(ticket.key, ticket);
    if (this.#guard === undefined) this.#handle(ticket);
    else this.#handleWatched(ticket, this.#guard.watch);
  }

  /** The last one moves to the free slot. */
  #free({ slot }: QueuedCommand): void {
    const last = this.#running.pop();
    if (last === undefined || last.slot === slot) return;
    last.slot = slot;
    this.#running[slot] = last;
  }

  #handleWatched(ticket: QueuedCommand, watch: RunningCommands): void {
    watch.started(this.#number);
    const before = watch.enter(this.#number, ticket);
    this.#handle(ticket);
    watch.leave(before);
  }

  #handle(ticket: QueuedCommand): void {
    try {
      ticket.begin?.();
      const result = this.#receptor.handle(ticket.command, ticket.signal, ticket.work);
      if (!isThenable(result)) ticket.succeed(result);
      else {
        result.then(
          (value) => ticket.succeed(value),
          (error: unknown) => ticket.fail(error),
        );
      }
    } catch (error) {
      ticket.fail(error);
    }
  }
}

function waitsForItself(outer: QueuedCommand, { command, key }: QueuedCommand): Problem {
  const [own, other] = [command.constructor.name, outer.command.constructor.name];
  const detail =
    key !== undefined && key === outer.key
      ? `${own} has the same key, '${key}', as ${other}, which invoked it and holds the key until it ends; use another key, or do the work in ${other} itself.`
      : `${own} is invoked by ${other}, which holds the last slot until ${own} ends; raise the concurrency, or do the work in ${other} itself.`;
  return new Problem('waits-for-itself', { detail });
}
