import { type FlagRules, type FlagScope, type FlagSource, isOnFor } from '../../contracts/flags.js';
import { log } from '../logging/log.js';
import type { StoredFlags } from './read-flags.js';

const maxWarnings = 100;

/** A copy of the flags in memory, because every evaluation asks it; while the database is away, the last one serves. */
export class KnownFlags implements FlagSource {
  #version: string | undefined;
  #rules: ReadonlyMap<string, FlagRules> = new Map();
  readonly #declared: ReadonlySet<string>;
  readonly #warned = new Set<string>();

  /** `read` returns nothing when the known version is the newest. */
  constructor(
    private readonly read: (known: string | undefined) => Promise<StoredFlags | undefined>,
    declared: readonly string[] = [],
    private readonly warn: (name: string) => void = (flag) =>
      log.warn({ flag }, 'a flag that was neither declared nor changed is off; is its name right?'),
  ) {
    this.#declared = new Set(declared);
  }

  /** Undefined until they are read. */
  get version(): string | undefined {
    return this.#version;
  }

  async refresh(): Promise<void> {
    const stored = await this.read(this.#version);
    if (stored === undefined) return;
    this.#rules = stored.rules;
    this.#version = stored.version;
  }

  isOn(name: string, scope: FlagScope): boolean {
    const rules = this.#rules.get(name);
    if (rules !== undefined) return isOnFor(name, rules, scope);
    if (!this.#declared.has(name)) this.#warnOnce(name);
    return false;
  }

  #warnOnce(name: string): void {
    if (this.#warned.size >= maxWarnings || this.#warned.has(name)) return;
    this.#warned.add(name);
    this.warn(name);
  }
}
