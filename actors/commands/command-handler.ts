import { fromCallback } from 'xstate';
import type { Command } from '../../contracts/message.js';
import { Problem } from '../../contracts/problems.js';
import type { Receptor, UnitOfWork } from '../../contracts/receptor.js';
import { isThenable } from '../../runtime/thenable.js';
import type { CommandQuarantine } from './command-quarantine.js';
import type { CommandWatch, Watched } from './command-watch.js';

/** One command on its way through its handler; it keeps its place until it leaves. */
export interface Ticket extends Watched {
  readonly signal: AbortSignal;
  readonly work: UnitOfWork;
  /** Kept by the handler. */
  place: 'none' | 'waiting' | 'running';
  key: string | undefined;
  /** Whether it was invoked by the other, directly or by what that invoked: the other ends only after it. */
  isWithin(other: Ticket): boolean;
  /** Its turn has come. */
  begin?(): void;
  succeed(result: unknown): void;
  fail(error: unknown): void;
}

export type HandlerMessage =
  | { readonly type: 'enter'; readonly ticket: Ticket }
  | { readonly type: 'leave'; readonly ticket: Ticket };

/** Protects a host from commands that block its event loop. */
export interface CommandGuard {
  readonly watch: CommandWatch;
  readonly quarantine: CommandQuarantine;
}

interface HandlerInput {
  readonly name: string;
  readonly receptor: Receptor<Command, unknown>;
  /** Told, once, how to see the load. */
  readonly shows?: (load: () => HandlerLoad) => void;
  readonly guard?: CommandGuard | undefined;
}

export interface HandlerLoad {
  readonly running: number;
  readonly waiting: number;
  /** How many may wait. */
  readonly mailbox: number;
}

const defaultConcurrency = 256;
const defaultMailbox = 1024;

/** Handles the commands of one type: so many at once, so many waiting, those with the same key one after another. */
export const commandHandler = fromCallback<HandlerMessage, HandlerInput>(({ input, receive }) => {
  const places = new Places(input);
  input.shows?.(() => places.load);
  receive((message) => {
    if (message.type === 'enter') places.enter(message.ticket);
    else places.leave(message.ticket);
  });
  return () => {
    places.refuseWaiting(new Problem('draining', { retryAfter: 1 }));
  };
});

class Places {
  readonly #receptor: Receptor<Command, unknown>;
  readonly #name: string;
  readonly #concurrency: number;
  readonly #mailbox: number;
  readonly #running = new Set<Ticket>();
  readonly #busyKeys = new Map<string, Ticket>();
  readonly #waiting = new Set<Ticket>();
  readonly #guard: CommandGuard | undefined;
  readonly #number: number;

  constructor({ name, receptor, guard }: HandlerInput) {
    this.#receptor = receptor;
    this.#name = name;
    this.#concurrency = receptor.concurrency ?? defaultConcurrency;
    this.#mailbox = receptor.mailbox ?? defaultMailbox;
    this.#guard = guard;
    this.#number = guard?.watch.know(name, receptor) ?? 0;
  }

  get load(): HandlerLoad {
    return { running: this.#running.size, waiting: this.#waiting.size, mailbox: this.#mailbox };
  }

  enter(ticket: Ticket): void {
    try {
      ticket.key = this.#receptor.key?.(ticket.command);
    } catch (error) {
      ticket.fail(error);
      return;
    }
    const refusal = this.#guard?.quarantine.refusalOf(this.#name, ticket);
    if (refusal !== undefined) return ticket.fail(refusal);
    if (this.#hasPlaceFor(ticket)) return this.#start(ticket);
    const itself = this.#itselfIn(ticket);
    if (itself !== undefined) ticket.fail(waitsFor(itself, ticket));
    else if (this.#waiting.size < this.#mailbox) this.#wait(ticket);
    else
      ticket.fail(
        new Problem('overloaded', {
          detail: `${this.#name} has ${this.#mailbox} commands waiting.`,
          retryAfter: 1,
        }),
      );
  }

  leave(ticket: Ticket): void {
    const { place, key } = ticket;
    ticket.place = 'none';
    if (place === 'waiting') this.#waiting.delete(ticket);
    if (place !== 'running') return;
    this.#running.delete(ticket);
    this.#guard?.watch.ended(this.#number);
    if (key !== undefined) this.#busyKeys.delete(key);
    if (this.#waiting.size > 0) this.#startWaiting();
  }

  refuseWaiting(problem: Problem): void {
    for (const ticket of this.#waiting) ticket.fail(problem);
    this.#waiting.clear();
  }

  #hasPlaceFor({ key }: Ticket): boolean {
    return this.#running.size < this.#concurrency && (key === undefined || !this.#busyKeys.has(key));
  }

  /** The command whose end it would wait for, and which ends only after it. */
  #itselfIn(ticket: Ticket): Ticket | undefined {
    const holder = ticket.key === undefined ? undefined : this.#busyKeys.get(ticket.key);
    if (holder !== undefined && ticket.isWithin(holder)) return holder;
    if (this.#running.size < this.#concurrency) return undefined;
    const running = [...this.#running];
    return running.every((other) => ticket.isWithin(other)) ? running[0] : undefined;
  }

  #wait(ticket: Ticket): void {
    ticket.place = 'waiting';
    this.#waiting.add(ticket);
  }

  #startWaiting(): void {
    for (const ticket of this.#waiting) {
      if (this.#running.size >= this.#concurrency) return;
      if (!this.#hasPlaceFor(ticket)) continue;
      this.#waiting.delete(ticket);
      this.#start(ticket);
    }
  }

  #start(ticket: Ticket): void {
    ticket.place = 'running';
    this.#running.add(ticket);
    if (ticket.key !== undefined) this.#busyKeys.set(ticket.key, ticket);
    if (this.#guard === undefined) this.#handle(ticket);
    else this.#handleWatched(ticket, this.#guard.watch);
  }

  #handleWatched(ticket: Ticket, watch: CommandWatch): void {
    watch.began(this.#number);
    const before = watch.running(this.#number, ticket);
    this.#handle(ticket);
    watch.yielded(before);
  }

  #handle(ticket: Ticket): void {
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

function waitsFor(outer: Ticket, { command, key }: Ticket): Problem {
  const [own, other] = [command.constructor.name, outer.command.constructor.name];
  const detail =
    key !== undefined && key === outer.key
      ? `${own} has the same key, '${key}', as ${other}, which invoked it and keeps the key until it has ended; give it another key, or do its work in ${other} itself.`
      : `${own} is invoked by ${other}, which has taken the last of its places and keeps it until ${own} has ended; raise its concurrency, or do its work in ${other} itself.`;
  return new Problem('waits-for-itself', { detail });
}
