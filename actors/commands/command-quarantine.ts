import { Problem } from '../../contracts/problems.js';
import { keyOf, type WatchedCommand } from './command-watch.js';

/** A command that may not run for now: it blocked the event loop of several hosts. */
export interface QuarantinedCommand {
  readonly command: string;
  /** Unset: whatever its key. */
  readonly key?: string;
  /** Milliseconds since 1970. */
  readonly until: number;
}

/** Refuses the commands that are in quarantine, and lets all others pass. */
export class CommandQuarantine {
  #entries: readonly QuarantinedCommand[] = [];

  /** Those that have not been released by time. */
  get entries(): readonly QuarantinedCommand[] {
    return this.#entries.filter(({ until }) => until > Date.now());
  }

  replace(entries: readonly QuarantinedCommand[]): void {
    this.#entries = entries;
  }

  refusalOf(name: string, watched: WatchedCommand): Problem | undefined {
    if (this.#entries.length === 0) return undefined;
    const key = keyOf(watched.key, watched.idempotencyKey);
    const found = this.entries.find(
      (entry) => entry.command === name && (entry.key === undefined || entry.key === key),
    );
    if (found === undefined) return undefined;
    return new Problem('quarantined', {
      detail: `${name} is in quarantine because it blocked this service again and again.`,
      retryAfter: Math.max(1, Math.ceil((found.until - Date.now()) / 1_000)),
    });
  }
}
