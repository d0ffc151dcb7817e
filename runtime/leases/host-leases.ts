import type { Long, Uuid } from '../../contracts/scalars.js';
import type { NotificationSource } from '../database/notifications.js';
import { log } from '../logging/log.js';
import type { Leases, Turn } from './postgres-leases.js';
import { LeaseLength } from './lease-length.js';
import { type LateLeases, Renewals } from './renewals.js';
import { type LeaseGroup, type LiveHost, sharesOf } from './shares.js';

export interface LeaseSettings {
  /** Another host takes over within this time of a host's death. */
  readonly leaseMs: number;
  /** How often one question renews all leases of the host; well before they end. */
  readonly renewMs: number;
}

export const leaseDefaults: LeaseSettings = { leaseMs: 4_000, renewMs: 1_800 };

/** Followers of one kind on this host. */
interface LeaseMember {
  /** The leases that it could use. */
  readonly names: () => readonly string[];
  /** Perspectives: the same question asks where they are. */
  readonly tables?: () => readonly string[];
  readonly renewed: (turn: HostTurn) => void;
}

export interface HostTurn extends Turn {
  /** Whether the log has grown since the last answer: its notification may have been lost. */
  readonly hasGrown: boolean;
  /** Whether a lease belongs to hosts of this version: no newer one can run it. */
  readonly isOurs: (name: string) => boolean;
}

/** The leases of one host: one question at each interval renews all, and asks at once when one may be free. */
export class HostLeases {
  readonly #members = new Set<LeaseMember>();
  readonly #watchers = new Set<(turn: Turn) => void>();
  readonly #renewals: Renewals;
  /** Undefined until the store has answered: only then this host knows its share. */
  #hosts: readonly LiveHost[] | undefined;
  #head: Long | undefined;
  #answeredAt = -Infinity;
  /** How long its leases last. */
  readonly length: LeaseLength;
  /** On their way back: a question that arrives first must not take them. */
  readonly #leaving = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #asking: Promise<void> | undefined;
  #mustAsk = false;
  #stopListening: (() => void) | undefined;

  constructor(
    private readonly leases: Leases,
    private readonly version: string,
    readonly notifications: NotificationSource,
    private readonly settings: LeaseSettings = leaseDefaults,
  ) {
    this.length = new LeaseLength(settings.leaseMs);
    this.#renewals = new Renewals(settings.leaseMs - settings.renewMs);
  }

  get owner(): Uuid {
    return this.leases.owner;
  }

  get leaseMs(): number {
    return this.length.ms;
  }

  /** The last position of the log, as of the last answer; undefined when that is older than a lease. */
  get head(): Long | undefined {
    return performance.now() - this.#answeredAt < this.leaseMs ? this.#head : undefined;
  }

  /** What is not renewed in time, until it is; and since when that is so. */
  get renewal(): { readonly late: LateLeases | undefined; readonly since: Date } {
    return this.#renewals;
  }

  /** Returns what gives its leases back. */
  join(member: LeaseMember): () => Promise<void> {
    this.#members.add(member);
    this.#stopListening ??= this.notifications.subscribe((channel) => {
      if (channel === 'svc_lease') this.ask();
    });
    this.ask();
    return () => this.#leave(member);
  }

  /** Calls back with every answer; returns what ends that. Only members make this host ask. */
  watch(watcher: (turn: Turn) => void): () => void {
    this.#watchers.add(watcher);
    return () => void this.#watchers.delete(watcher);
  }

  /** Asks at once: a lease may be free, or something is to be repaired. */
  ask(): void {
    if (this.#members.size === 0) return;
    this.#mustAsk = true;
    this.#asking ??= this.#askAll();
  }

  /** Leaves these to other hosts: their member does not name them anymore. */
  async giveBack(names: readonly string[]): Promise<void> {
    // A question on its way would take them again.
    await this.#asking;
    // Meanwhile one may be wanted again.
    const left = this.#names;
    const unwanted = names.filter((name) => !left.includes(name));
    for (const name of unwanted) this.#leaving.add(name);
    // If the store does not answer, they end by themselves.
    await this.leases.release(unwanted, left).catch(() => undefined);
    for (const name of unwanted) this.#leaving.delete(name);
    if (this.#names.some((name) => unwanted.includes(name))) this.ask();
  }

  /** Whether no live host runs a newer version. */
  async isNewest(name: string): Promise<boolean> {
    const hosts = await this.leases.hosts(this.leaseMs);
    return this.#groups([[name]], hosts).every(({ share }) => share > 0);
  }

  async #leave(member: LeaseMember): Promise<void> {
    if (!this.#members.delete(member)) return;
    if (this.#members.size === 0) {
      clearTimeout(this.#timer);
      this.#stopListening?.();
      this.#stopListening = undefined;
      this.#renewals.end();
      this.#hosts = undefined;
    }
    await this.giveBack(member.names());
  }

  get #names(): readonly string[] {
    return [...this.#members].flatMap((member) => member.names());
  }

  #groups(kinds: readonly (readonly string[])[], hosts = this.#hosts): readonly LeaseGroup[] {
    const { owner } = this.leases;
    return hosts === undefined
      ? kinds.map((names) => ({ names, share: 0 }))
      : sharesOf(kinds, { owner, version: this.version }, hosts);
  }

  async #askAll(): Promise<void> {
    clearTimeout(this.#timer);
    let waitMs = 0;
    while (this.#mustAsk) {
      this.#mustAsk = false;
      waitMs = await this.#renewOrRetry();
    }
    this.#asking = undefined;
    if (this.#members.size > 0) this.#timer = setTimeout(() => this.ask(), waitMs);
  }

  /** Returns when to ask again. */
  async #renewOrRetry(): Promise<number> {
    try {
      return await this.#renew();
    } catch (err) {
      this.#renewals.failed(err);
      log.warn({ err }, 'the leases of this host could not be renewed');
      return this.settings.renewMs / 2;
    }
  }

  async #renew(): Promise<number> {
    const { renewMs } = this.settings;
    const members = [...this.#members];
    const kinds = members.map((member) => member.names().filter((name) => !this.#leaving.has(name)));
    const tables = members.flatMap((member) => member.tables?.() ?? []);
    const groups = this.#groups(kinds);
    this.#renewals.asked(kinds.flat());
    const askedAt = performance.now();
    const turn = await this.leases.turn(groups, this.length.next(), tables);
    this.length.answeredIn(performance.now() - askedAt);
    this.#hosts = turn.hosts;
    const next = this.#groups(kinds);
    const ours = new Set(next.filter(({ share }) => share > 0).flatMap(({ names }) => names));
    const isOurs = (name: string): boolean => ours.has(name);
    const hasGrown = turn.head !== this.#head;
    for (const watcher of this.#watchers) watcher(turn);
    for (const member of members)
      if (this.#members.has(member)) member.renewed({ ...turn, isOurs, hasGrown });
    [this.#head, this.#answeredAt] = [turn.head, performance.now()];
    const againMs = this.#renewals.answered(turn, groups);
    if (isChanged(groups, next)) return 0;
    // One that is to be given back may have a row that another session holds.
    if (againMs === undefined && next.some((group) => roomIn(group, turn) < 0)) return 0;
    return Math.min(renewMs, againMs ?? Infinity, freeInMs(next, turn) + 10 + Math.random() * 50);
  }
}

const roomIn = ({ names, share }: LeaseGroup, { held }: Turn): number =>
  share - names.filter((name) => held.has(name)).length;

/** When the first lease ends that another host has and this one may take. */
const freeInMs = (groups: readonly LeaseGroup[], turn: Turn): number =>
  Math.min(
    ...groups
      .filter((group) => roomIn(group, turn) > 0)
      .flatMap(({ names }) => names.filter((name) => !turn.held.has(name)))
      .map((name) => turn.remainingMs.get(name) ?? Infinity)
      .filter((ms) => ms > 0),
  );

const isChanged = (one: readonly LeaseGroup[], other: readonly LeaseGroup[]): boolean =>
  one.length !== other.length || one.some(({ share }, index) => share !== other[index]?.share);
