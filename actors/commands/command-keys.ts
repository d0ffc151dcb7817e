import type { QueuedCommand } from './waiting-commands.js';
import type { KeyLine } from './key-line.js';

interface KeyedHandler {
  startWaiting(): void;
}

/** The keys of running commands, and the handlers whose commands wait for them. */
export class CommandKeys {
  readonly busy = new Map<string, QueuedCommand>();
  readonly #lines = new Map<string, KeyLine>();
  readonly #handlers: KeyedHandler[] = [];
  /** The waiting commands with several keys, by each key, in order of arrival. */
  readonly #claims = new Map<string, Set<QueuedCommand>>();
  #tickets = 0;

  join(handler: KeyedHandler): void {
    this.#handlers.push(handler);
  }

  /** A command joins the lines of all its keys at the same moment, so no two commands can wait for each other. */
  wait(attempt: QueuedCommand): void {
    attempt.ticket = ++this.#tickets;
    for (const key of attempt.keys ?? []) {
      const claims = this.#claims.get(key) ?? new Set();
      this.#claims.set(key, claims.add(attempt));
    }
  }

  /** Called when the command starts or is given up. */
  endWait(attempt: QueuedCommand): void {
    for (const key of attempt.keys ?? []) {
      const claims = this.#claims.get(key);
      claims?.delete(attempt);
      if (claims?.size === 0) this.#claims.delete(key);
    }
  }

  hold(attempt: QueuedCommand): void {
    const { key, keys } = attempt;
    if (keys !== undefined) for (const one of keys) this.busy.set(one, attempt);
    else if (key !== undefined) this.busy.set(key, attempt);
  }

  /** Whether a command may start; one that cannot follow the others stops those behind it. */
  admits(attempt: QueuedCommand): boolean {
    const { key, keys } = attempt;
    if (keys === undefined) return key === undefined || this.#admitsTo(key, attempt);
    return keys.map((one) => this.#admitsTo(one, attempt)).every(Boolean);
  }

  #admitsTo(key: string, attempt: QueuedCommand): boolean {
    if (this.busy.has(key) || this.#isClaimed(key, attempt)) return false;
    const { mayFollow = false } = attempt;
    const line = this.#lines.get(key);
    if (line === undefined || line.isEmpty) return true;
    if (!mayFollow) line.isClosed = true;
    return !line.isClosed;
  }

  /**
   * By an earlier command. A nested command ignores claims, because its outer command might otherwise wait for itself.
   */
  #isClaimed(key: string, { ticket = Infinity, isNested = false }: QueuedCommand): boolean {
    if (this.#claims.size === 0 || isNested) return false;
    const [first] = this.#claims.get(key) ?? [];
    return first?.ticket !== undefined && first.ticket < ticket;
  }

  /** The commands with this key that are not committed yet. */
  lineOf(key: string): KeyLine | undefined {
    return this.#lines.get(key);
  }

  openLine(key: string, create: () => KeyLine): KeyLine {
    const line = this.#lines.get(key) ?? create();
    this.#lines.set(key, line);
    return line;
  }

  /** Starts commands of the other handlers first, in turn, so none of them waits forever. */
  free(keys: readonly string[], by?: KeyedHandler): void {
    for (const key of keys) {
      this.busy.delete(key);
      this.#forgetEmptyLine(key);
    }
    this.#startWaiting(by);
  }

  /** A waiting command was given up; others may have waited for it. */
  givenUp(attempt: QueuedCommand): void {
    this.endWait(attempt);
    if (attempt.keys !== undefined) this.#startWaiting();
  }

  /** All commands of a line are committed. */
  emptied(key: string): void {
    if (this.busy.has(key)) return;
    this.#forgetEmptyLine(key);
    this.#startWaiting();
  }

  #forgetEmptyLine(key: string): void {
    if (this.#lines.get(key)?.isEmpty === true) this.#lines.delete(key);
  }

  #startWaiting(by?: KeyedHandler): void {
    const first = by === undefined ? 0 : this.#handlers.indexOf(by) + 1;
    for (const handler of [...this.#handlers.slice(first), ...this.#handlers.slice(0, first)])
      handler.startWaiting();
  }
}
