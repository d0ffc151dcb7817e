import type { QueuedCommand } from './queued-command.js';
import type { KeyLine } from './key-line.js';

interface KeyedHandler {
  startWaiting(): void;
}

/** The keys of running commands, and the handlers whose commands wait for them. */
export class CommandKeys {
  readonly busy = new Map<string, QueuedCommand>();
  readonly #lines = new Map<string, KeyLine>();
  readonly #handlers: KeyedHandler[] = [];

  join(handler: KeyedHandler): void {
    this.#handlers.push(handler);
  }

  /** Whether a command with this key may start; one that cannot follow the others stops those behind it. */
  admits(key: string, { mayFollow = false }: Pick<QueuedCommand, 'mayFollow'>): boolean {
    if (this.busy.has(key)) return false;
    const line = this.#lines.get(key);
    if (line === undefined || line.isEmpty) return true;
    if (!mayFollow) line.isClosed = true;
    return !line.isClosed;
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

  /** The other handlers first, in turn, so that none of them waits for ever. */
  free(key: string, by?: KeyedHandler): void {
    this.busy.delete(key);
    this.#startWaiting(key, by);
  }

  /** All commands of a line are committed. */
  emptied(key: string): void {
    if (!this.busy.has(key)) this.#startWaiting(key);
  }

  #startWaiting(key: string, by?: KeyedHandler): void {
    if (this.#lines.get(key)?.isEmpty === true) this.#lines.delete(key);
    const first = by === undefined ? 0 : this.#handlers.indexOf(by) + 1;
    for (const handler of [...this.#handlers.slice(first), ...this.#handlers.slice(0, first)])
      handler.startWaiting();
  }
}
