import type { Command } from '../../contracts/message.js';
import type { Receptor } from '../../contracts/receptor.js';
import { keysOf } from './keys-of.js';

/** The command that occupies the event loop. */
export interface RunningCommand {
  readonly command: string;
  /** Its mailbox key, or a hash of its idempotency key. */
  readonly key?: string;
  readonly correlationId?: string;
}

/** The facts about a command that are known before it runs. */
export interface CommandIdentity extends WatchedIdentity {
  readonly command: Command;
}

/** Identifies a watched piece of code. */
interface WatchedIdentity {
  readonly key: string | undefined;
  readonly correlationId?: string | undefined;
  readonly idempotencyKey?: Uint8Array | undefined;
}

interface WatchSnapshot {
  readonly heartbeat: number;
  readonly running: RunningCommand | undefined;
  /** Commands that have begun but not ended. */
  readonly inFlight: readonly string[];
}

// The layout of the shared memory: first the numbers, then the bytes.
const [beatAt, runningAt, keyLengthAt, idLengthAt, namesLengthAt, firstInFlight] = [0, 1, 2, 3, 4, 16];
const maxCommands = 1_000;
const [keyAt, idAt, namesAt] = [5_000, 6_000, 7_000];
const maxKeyBytes = 255;

export const runningCommandsBytes = 128 * 1_024;

/**
 * Records which command runs, in memory that another thread can read while this one is blocked. It costs a few stores
 * per command, and nothing when no thread watches.
 */
export class RunningCommands {
  readonly #numbers: Int32Array;
  readonly #bytes: Buffer;
  readonly #named = new Map<string, number>();
  readonly #receptors = new Map<
    unknown,
    { readonly name: string; readonly receptor: Receptor<Command, unknown> }
  >();

  constructor(memory: SharedArrayBuffer) {
    this.#numbers = new Int32Array(memory, 0, keyAt / 4);
    this.#bytes = Buffer.from(memory);
  }

  /** Shows that the event loop turns. */
  heartbeat(): void {
    this.#add(beatAt, 1);
  }

  /** Registers a command type, or a reaction or process; returns its number, or 0 when the table is full. */
  register(name: string, receptor?: Receptor<Command, unknown>): number {
    if (receptor !== undefined) this.#receptors.set(receptor, { name, receptor });
    const known = this.#named.get(name);
    if (known !== undefined) return known;
    const line = `${name}\n`;
    const length = this.#numbers[namesLengthAt] ?? 0;
    const at = namesAt + length;
    if (this.#named.size >= maxCommands || Buffer.byteLength(line) > runningCommandsBytes - at) return 0;
    this.#named.set(name, this.#named.size + 1);
    // The names only grow, because another thread may read them between the two writes.
    this.#numbers[namesLengthAt] = length + this.#bytes.write(line, at);
    return this.#named.size;
  }

  /** Called when the command's handler gets control; returns the value that `leave` expects. */
  enter(number: number, { key, idempotencyKey, correlationId }: WatchedIdentity): number {
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

  /** Called when the handler has returned or awaits something. */
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

  /** The command whose code runs, as a debugger sees it: `self` is the `this` of a function on the stack. */
  commandOf(self: unknown, first: unknown): RunningCommand | undefined {
    const found = this.#receptors.get(self);
    if (found === undefined) return undefined;
    const { name, receptor } = found;
    const isCommand = typeof first === 'object' && first?.constructor.name === name;
    const [key] = isCommand ? keysOf(receptor.key?.(first) ?? []) : [];
    return { command: name, ...(key === undefined ? {} : { key }) };
  }

  /** Safe to call from any thread. */
  read(): WatchSnapshot {
    const numbers = this.#numbers;
    const names = this.#readText(namesAt, numbers[namesLengthAt]).split('\n').slice(0, -1);
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

  /** A negative length marks raw bytes: encoding them as text would cost more than everything else here. */
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

/** The key that identifies a command within its type. */
export const keyOf = (key: string | undefined, idempotencyKey: Uint8Array | undefined): string | undefined =>
  key ?? (idempotencyKey === undefined ? undefined : Buffer.from(idempotencyKey).toString('hex'));
