import { Problem } from '../../contracts/problems.js';
import { keyOf, type CommandIdentity } from './running-commands-shared-memory.js';

/** A command that is refused for now because it blocked the event loop of several hosts. */
export interface QuarantinedCommand {
  readonly command: string;
  /** Undefined: every key. */
  readonly key?: string;
  /** Unix time in milliseconds. */
  readonly until: number;
}

/** Refuses commands in quarantine. */
export class QuarantinedCommands {
  #entries: readonly QuarantinedCommand[] = [];

  /** The entries that have not expired. */
  get entries(): readonly QuarantinedCommand[] {
    return this.#entries.filter(({ until }) => until > Date.now());
  }

  replace(entries: readonly QuarantinedCommand[]): void {
    this.#entries = entries;
  }

  refusalOf(name: string, watched: Omit<CommandIdentity, 'command'>): Problem | undefined {
    if (this.#entries.length === 0) return undefined;
    const key = keyOf(watched.key, watched.idempotencyKey);
    const found = this.entries.find(
      (entry) => entry.command === name && (entry.key === undefined || entry.key === key),
    );
    if (found === undefined) return undefined;
    return new Problem('quarantined', {
      detail: `${name} is in quarantine because it blocked this service repeatedly.`,
      retryAfter: Math.max(1, Math.ceil((found.until - Date.now()) / 1_000)),
    });
  }
}
