import type { UnitOfWork } from '../../contracts/receptor.js';
import { sameWeight, type WeightOf } from '../../runtime/lang/tenant-weights.js';
import type { CommandIdentity } from './running-commands-shared-memory.js';

/** One command in its handler; it holds its slot until it leaves. */
export interface QueuedCommand extends CommandIdentity {
  readonly work: UnitOfWork;
  /** On whose behalf it runs. */
  readonly tenant?: string | undefined;
  /** Managed by the handler. */
  status: 'none' | 'waiting' | 'running';
  /** Its index among the running commands. */
  slot: number;
  key: string | undefined;
  /** All keys of a command with several keys. */
  keys: readonly string[] | undefined;
  /** Its place among the waiting commands. */
  ticket: number | undefined;
  /** Whether the other command invoked this one, directly or through others, and therefore ends only after it. */
  isInvokedBy(other: QueuedCommand): boolean;
  /** Whether the other command is committed together with this one. */
  isInStepWith?(other: QueuedCommand): boolean;
  /** Whether earlier commands of its step hold slots until the step ends: two such steps could wait for each other. */
  readonly mustNotWait?: boolean;
  /** Whether it can be decided before the earlier commands with its key are committed. */
  readonly mayFollow?: boolean;
  /** Whether another command waits for it; that command may hold keys for which others wait. */
  readonly isNested?: boolean;
  /** Called when a slot is free. */
  begin?(): void;
  succeed(result: unknown): void;
  fail(error: unknown): void;
}

/** The waiting commands of one tenant, in the order in which they came. */
interface TenantLine {
  readonly tenant: string | undefined;
  readonly weight: number;
  readonly commands: Set<QueuedCommand>;
  /** How many of them another command waits for. */
  nested: number;
  /** How many may start before the next tenant has its turn. */
  turnsLeft: number;
}

/** Commands that wait for a slot. Tenants take turns, so that one with many does not hold up the others. */
export class WaitingCommands {
  /** The one whose turn it is comes first. */
  readonly #lines = new Map<string | undefined, TenantLine>();
  #size = 0;

  constructor(private readonly weightOf: WeightOf = sameWeight) {}

  get size(): number {
    return this.#size;
  }

  /** How many of each tenant wait. */
  get byTenant(): readonly { readonly tenant: string | undefined; readonly waiting: number }[] {
    return [...this.#lines.values()].map(({ tenant, commands }) => ({ tenant, waiting: commands.size }));
  }

  waitingOf(tenant: string | undefined): number {
    return this.#lines.get(tenant)?.commands.size ?? 0;
  }

  add(command: QueuedCommand): void {
    const { tenant } = command;
    let line = this.#lines.get(tenant);
    if (line === undefined) {
      const weight = this.weightOf(tenant);
      line = { tenant, weight, commands: new Set(), nested: 0, turnsLeft: weight };
      this.#lines.set(tenant, line);
    }
    line.commands.add(command);
    if (command.isNested === true) line.nested++;
    this.#size++;
  }

  /** It was given up. */
  delete(command: QueuedCommand): void {
    const line = this.#lines.get(command.tenant);
    if (line?.commands.delete(command) !== true) return;
    if (command.isNested === true) line.nested--;
    this.#size--;
    if (line.commands.size === 0) this.#lines.delete(line.tenant);
  }

  /** It starts: that is a turn of its tenant. */
  take(command: QueuedCommand): void {
    const line = this.#lines.get(command.tenant);
    this.delete(command);
    if (line === undefined || line.commands.size === 0 || --line.turnsLeft > 0) return;
    line.turnsLeft = line.weight;
    this.#lines.delete(line.tenant);
    this.#lines.set(line.tenant, line);
  }

  /** Each of them that may start, once, in turn; one that is not taken costs its tenant no turn. */
  *inTurn(may: (command: QueuedCommand) => boolean = () => true): Iterable<QueuedCommand> {
    let open = [...this.#lines.values()].map((line) => ({ line, rest: line.commands.values() }));
    while (open.length > 0) {
      const before = open;
      open = [];
      for (const one of before) if (yield* turnOf(one, may)) open.push(one);
    }
  }

  /**
   * Makes room in a full mailbox for a command of a tenant: returns the newest one of the tenant that has the most
   * waiting for its weight. Undefined: that is this tenant itself.
   */
  outnumbered(tenant: string | undefined): QueuedCommand | undefined {
    const own = this.#lines.get(tenant);
    let most = ((own?.commands.size ?? 0) + 1) / (own?.weight ?? this.weightOf(tenant));
    let longest: TenantLine | undefined;
    for (const line of this.#lines.values()) {
      const share = line.commands.size / line.weight;
      if (line === own || share <= most) continue;
      [most, longest] = [share, line];
    }
    return longest && [...longest.commands].at(-1);
  }

  clear(): readonly QueuedCommand[] {
    const all = [...this.#lines.values()].flatMap(({ commands }) => [...commands]);
    this.#lines.clear();
    this.#size = 0;
    return all;
  }
}

interface OpenLine {
  readonly line: TenantLine;
  readonly rest: Iterator<QueuedCommand, undefined>;
}

/** As many as the tenant may start before the next one; returns whether it has more. */
function* turnOf(
  { line, rest }: OpenLine,
  may: (command: QueuedCommand) => boolean,
): Generator<QueuedCommand, boolean> {
  for (let turns = line.turnsLeft; turns > 0;) {
    const next = rest.next();
    if (next.value === undefined) return false;
    if (!may(next.value)) {
      // What may not is true for all of a tenant, except for nested ones.
      if (line.nested === 0) return false;
      continue;
    }
    yield next.value;
    if (!line.commands.has(next.value)) turns--;
  }
  return true;
}

const mostShown = 10;

/** The tenants with the most waiting commands of all receptors. */
export function longestTenants(
  loads: readonly { readonly byTenant: WaitingCommands['byTenant'] }[],
): readonly { readonly tenant: string | null; readonly waiting: number }[] {
  const all = new Map<string | null, number>();
  for (const { byTenant } of loads)
    for (const { tenant = null, waiting } of byTenant) all.set(tenant, (all.get(tenant) ?? 0) + waiting);
  return [...all]
    .map(([tenant, waiting]) => ({ tenant, waiting }))
    .sort((one, other) => other.waiting - one.waiting)
    .slice(0, mostShown);
}
