import type { QuarantinedCommand } from '../../actors/commands/quarantined-commands.js';
import type { RunningCommand } from '../../actors/commands/running-commands-shared-memory.js';

interface QuarantineSettings {
  /** The number of hosts lost to one command that puts it in quarantine; 0: never. */
  readonly after: number;
  readonly withinMs: number;
  readonly forMs: number;
}

export const quarantineDefaults: QuarantineSettings = { after: 3, withinMs: 300_000, forMs: 600_000 };

interface Loss {
  readonly at: number;
  readonly running: RunningCommand;
}

/** One sender, or two, must not close a route for all others. */
const keysOfFault = 3;

const covers = (entry: QuarantinedCommand, other: QuarantinedCommand): boolean =>
  entry.command === other.command && (entry.key === undefined || entry.key === other.key);

/** Counts the hosts lost to each command, and decides which commands are quarantined. */
export class Quarantine {
  #losses: readonly Loss[] = [];
  #entries: readonly QuarantinedCommand[] = [];

  constructor(private readonly settings: QuarantineSettings = quarantineDefaults) {}

  entriesAt(now: number): readonly QuarantinedCommand[] {
    return this.#entries.filter(({ until }) => until > now);
  }

  /** Counts a host lost to this command; returns what is newly quarantined. */
  recordLoss(running: RunningCommand, now: number): QuarantinedCommand | undefined {
    const { after, withinMs, forMs } = this.settings;
    this.#losses = [...this.#losses.filter(({ at }) => at > now - withinMs), { at: now, running }];
    const same = this.#losses.filter((loss) => loss.running.command === running.command);
    if (after === 0 || same.length < after) return undefined;
    const { command, key } = running;
    const ofKey = same.filter((loss) => loss.running.key === key);
    const isAtFault = this.#isAtFault(command, same, now);
    if (!isAtFault && ofKey.length < after) return undefined;
    const entry = { command, until: now + forMs, ...(isAtFault || key === undefined ? {} : { key }) };
    this.#entries = [...this.entriesAt(now).filter((earlier) => !covers(entry, earlier)), entry];
    // After its release, counting starts over.
    const counted = isAtFault ? same : ofKey;
    this.#losses = this.#losses.filter((loss) => !counted.includes(loss));
    return entry;
  }

  /** Whether the command itself is at fault: with so many keys, or with one that is not known. */
  #isAtFault(command: string, losses: readonly Loss[], now: number): boolean {
    const inQuarantine = this.entriesAt(now).filter((entry) => entry.command === command);
    const keys = new Set([
      ...losses.map(({ running }) => running.key),
      ...inQuarantine.map(({ key }) => key),
    ]);
    return keys.size >= keysOfFault || keys.has(undefined);
  }
}
