import type { Command } from '../../contracts/message.js';
import type { Receptor } from '../../contracts/receptor.js';

/** A command that has the event loop to itself. */
export interface RunningCommand {
  readonly command: string;
  /** Its place in the mailbox, else its idempotency key as a hash. */
  readonly key?: string;
  readonly correlationId?: string;
}

/** What there is to know of a command before it runs. */
export interface WatchedCommand {
  readonly command: Command;
  readonly key: string | undefined;
  readonly correlationId?: string | undefined;
  readonly idempotencyKey?: Uint8Array | undefined;
}

interface WatchSnapshot {
  readonly heartbeat: number;
  readonly running: RunningCommand | undefined;
  /** Commands that have begun and not ended, whoever runs now. */
  readonly inFlight: readonly string[];
}

// Where things stand: as numbers first, then as bytes.
const [beatAt, runningAt, keyLengthAt, idLengthAt, namesLengthAt, firstInFlight] = [0, 1, 2, 3, 4, 16];
const maxCommands = 1_000;
const [keyAt, idAt, namesAt] = [5_000, 6_000, 7_000];
const maxKeyBytes = 255;

export const watchBytes = 128 * 1_024;

/**
 * Keeps which command runs now in memory that another thread can read while this one is blocked.
 * It costs a few stores per command, and nothing where nobody watches.
 */
export class CommandWatch {
  readonly #numbers: Int32Array;
  readonly #bytes: Buffer;
  readonly #names: string[] = [];
  readonly #receptors = new Map<
    unknown,
    { readonly name: string; readonly receptor: Receptor<Command, unknown> }
  >();

  constructor(memory: SharedArrayBuffer) {
    this.#numbers = new Int32Array(memory, 0, keyAt / 4);
    this.#bytes = Buffer.from(memory);
  }

  /** The event loop turns. */
  heartbeat(): void {
    this.#add(beatAt, 1);
  }

  /** Makes a command known; answers its number, or 0 when there are too many. */
  register(name: string, receptor: Receptor<Command, unknown>): number {
    this.#receptors.set(receptor, { name, receptor });
    const names = JSON.stringify([...this.#names, name]);
    if (this.#names.length >= maxCommands || Buffer.byteLength(names) > watchBytes - namesAt) return 0;
    this.#names.push(name);
    this.#numbers[namesLengthAt] = this.#bytes.write(names, namesAt);
    return this.#names.length;
  }

  /** The handler of the command gets control; answers what `yielded` wants. */
  enter(number: number, { key, idempotencyKey, correlationId }: WatchedCommand): number {
    const numbers = this.#numbers;
    const before = numbers[runningAt] ?? 0;
    numbers[keyLengthAt] =
      key === undefined && idempotencyKey !== undefined
        ? this.#writeBytes(idempotencyKey)
        : this.#writeText(keyAt, key);
    numbers[idLengthAt] = this.#writeText(idAt, correlationId);
    numbers[runningAt] = number;
    return before;
  }

  /** The handler has returned, or waits for something. */
  leave(before: number): void {
    this.#numbers[runningAt] = before;
    this.#numbers[keyLengthAt] = 0;
    this.#numbers[idLengthAt] = 0;
  }

  started(number: number): void {
    this.#add(firstInFlight + number, 1);
  }

  ended(number: number): void {
    this.#add(firstInFlight + number, -1);
  }

  /** Whose code has the loop, as seen by a debugger: `self` is the `this` of one of the functions on the stack. */
  commandOf(self: unknown, first: unknown): RunningCommand | undefined {
    const found = this.#receptors.get(self);
    if (found === undefined) return undefined;
    const { name, receptor } = found;
    const isCommand = typeof first === 'object' && first?.constructor.name === name;
    const key = isCommand ? receptor.key?.(first) : undefined;
    return { command: name, ...(key === undefined ? {} : { key }) };
  }

  /** From any thread. */
  read(): WatchSnapshot {
    const numbers = this.#numbers;
    const names = JSON.parse(this.#readText(namesAt, numbers[namesLengthAt]) || '[]') as string[];
    const command = names[(numbers[runningAt] ?? 0) - 1];
    const key = this.#readKey(numbers[keyLengthAt]);
    const correlationId = this.#readText(idAt, numbers[idLengthAt]);
    return {
      heartbeat: numbers[beatAt] ?? 0,
      running:
        command === undefined
          ? undefined
          : { command, ...(key === '' ? {} : { key }), ...(correlationId === '' ? {} : { correlationId }) },
      inFlight: names.filter((_, index) => (numbers[firstInFlight + index + 1] ?? 0) > 0),
    };
  }

  #add(at: number, by: number): void {
    this.#numbers[at] = (this.#numbers[at] ?? 0) + by;
  }

  #writeText(at: number, text: string | undefined): number {
    return text === undefined || text.length > maxKeyBytes ? 0 : this.#bytes.write(text, at);
  }

  /** As they are, marked by a negative length: a text would cost more than all the rest. */
  #writeBytes(bytes: Uint8Array): number {
    if (bytes.length > maxKeyBytes) return 0;
    this.#bytes.set(bytes, keyAt);
    return -bytes.length;
  }

  #readKey(length = 0): string {
    return length < 0 ? this.#bytes.toString('hex', keyAt, keyAt - length) : this.#readText(keyAt, length);
  }

  #readText(at: number, length = 0): string {
    return this.#bytes.toString('utf8', at, at + length);
  }
}

/** By what a command is known beside its type. */
export const keyOf = (key: string | undefined, idempotencyKey: Uint8Array | undefined): string | undefined =>
  key ?? (idempotencyKey === undefined ? undefined : Buffer.from(idempotencyKey).toString('hex'));
