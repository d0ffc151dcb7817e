import type { HealthFigures, HealthItem } from '../../model/health.js';
import type { ListedStore } from '../../../../runtime/trust/stores.js';
import type { HostItem, Overview, ProgressItem, StoreItem } from '../../model/overview.js';
import type { CheckStatus, ReceivedStatus } from '../../../../contracts/host-status.js';
import type { ReceivedGap } from '../../../../runtime/inbox/received-gaps.js';
import { type WorkProgress, progressAfter } from './work-progress.js';
import type { ReceivedRecord } from './received-record.js';
import { failureItem } from './failure-item.js';

/** Identifies a host: the same name may be used with another store. */
export interface HostKey {
  readonly host: string;
  readonly store: string;
}

interface KnownHost extends HostKey {
  readonly name: string;
  lastSeen: string;
  position?: number;
  status?: ReceivedStatus;
}

/** The events that report a failure. */
export const failureTypes: readonly string[] = [
  'CommandFailed',
  'HookFailed',
  'PerspectiveFailed',
  'MessageDeadLettered',
];

const maxFailures = 100;
/** A larger number of hosts can only be forged. */
const maxHosts = 1_000;
const silentAfterMs = 30_000;

/** Every host known from its records and its status reports. */
export class KnownHosts {
  readonly #hosts = new Map<string, KnownHost>();
  #progress: readonly WorkProgress[] = [];
  #failures: readonly ReceivedRecord[] = [];
  #gaps: ReadonlyMap<string, ReceivedGap> = new Map();
  #stores: readonly StoreItem[] = [];

  constructor(
    private readonly own: string,
    private readonly now: () => number = Date.now,
  ) {}

  addStatus(status: ReceivedStatus): void {
    const known = this.#findOrAdd(status, status.reportedAt);
    if (known !== undefined && (known.status?.reportedAt ?? '') <= status.reportedAt) known.status = status;
  }

  addActivity(key: HostKey, recordedAt: string, position: number): void {
    const known = this.#findOrAdd(key, recordedAt);
    if (known !== undefined) known.position = Math.max(known.position ?? 0, position);
  }

  addRecord(record: ReceivedRecord): void {
    this.addActivity(record, record.recordedAt, record.position);
    this.#progress = progressAfter(this.#progress, record);
    if (failureTypes.includes(record.eventType))
      this.#failures = [record, ...this.#failures].slice(0, maxFailures);
  }

  /** The missing records and broken chains of each store. */
  setGaps(gaps: readonly ReceivedGap[]): void {
    this.#gaps = new Map(gaps.map((gap) => [gap.store, gap]));
  }

  /** How far each store is trusted. */
  setStores(stores: readonly ListedStore[]): void {
    this.#stores = stores.slice(0, maxHosts).map(storeItem);
  }

  get names(): readonly string[] {
    return [...this.#hosts.values()].map(({ name }) => name).toSorted();
  }

  keyOf(name: string): HostKey | undefined {
    return this.#named(name);
  }

  lineOf(name: string): HostItem | undefined {
    const known = this.#named(name);
    return known === undefined ? undefined : this.#line(known);
  }

  healthOf(name: string): HealthFigures {
    const known = this.#named(name);
    const state = known === undefined ? 'unknown' : this.#stateOf(known);
    const checks = known?.status?.checks.map(healthLine) ?? [];
    return { status: state === 'up' ? (known?.status?.status ?? state) : state, checks };
  }

  overview(): Overview {
    const hosts = [...this.#hosts.values()].map((known) => this.#line(known));
    return {
      hosts: hosts.toSorted((a, b) => a.name.localeCompare(b.name)),
      progress: this.#progress.map(withoutKey),
      failures: this.#failures.map(failureItem),
      stores: this.#stores,
    };
  }

  #named(name: string): KnownHost | undefined {
    return [...this.#hosts.values()].find((known) => known.name === name);
  }

  #findOrAdd({ host, store }: HostKey, at: string): KnownHost | undefined {
    const key = `${store} ${host}`;
    const time = Date.parse(at);
    // What another store wrote must not stop the monitor.
    if (Number.isNaN(time)) return undefined;
    // A host whose clock is ahead must not appear alive forever.
    const seen = new Date(Math.min(this.now(), time)).toISOString();
    const known = this.#hosts.get(key);
    if (known !== undefined) {
      if (seen > known.lastSeen) known.lastSeen = seen;
      return known;
    }
    if (this.#hosts.size >= maxHosts) return undefined;
    const isTaken = host === this.own || this.#named(host) !== undefined;
    const added: KnownHost = {
      host,
      store,
      name: isTaken ? `${host} (${store.slice(-8)})` : host,
      lastSeen: seen,
    };
    this.#hosts.set(key, added);
    return added;
  }

  #line(known: KnownHost): HostItem {
    const { name, store, lastSeen, position, status } = known;
    return {
      name,
      store,
      service: status?.service,
      version: status?.version,
      startedAt: status?.startedAt,
      state: this.#stateOf(known),
      status: status?.status,
      failingChecks: [
        ...(status?.checks.filter((check) => check.status !== 'Healthy').map(healthLine) ?? []),
        ...gapLines(this.#gaps.get(store)),
      ],
      lastSeen,
      position,
    };
  }

  #stateOf({ status, lastSeen }: KnownHost): HostItem['state'] {
    if (status?.state === 'stopped' && status.reportedAt >= lastSeen) return 'stopped';
    if (this.now() - Date.parse(lastSeen) > silentAfterMs) return 'silent';
    return status === undefined ? 'no report' : 'up';
  }
}

/** Keys are compared by their beginning. */
const shownKeyLength = 16;

const storeItem = ({ storeId, state, trustedBy, publicKey, ...counts }: ListedStore): StoreItem => ({
  store: storeId,
  trust: state === 'trusted' && trustedBy === undefined ? 'pinned' : state,
  key: publicKey?.slice(0, shownKeyLength),
  records: counts.records,
  unconfirmed: counts.unconfirmed,
  missing: counts.missing,
  dropped: counts.dropped,
  passedOver: counts.passedOver,
});

const healthLine = (check: CheckStatus): HealthItem => ({ tags: [], ...check });

function gapLines(gap: ReceivedGap | undefined): HealthItem[] {
  if (gap === undefined) return [];
  const line = (detail: string): HealthItem => ({ name: 'received', tags: [], status: 'Degraded', detail });
  return [
    ...(gap.missing > 0 ? [line(`${gap.missing} records of its store were not received.`)] : []),
    ...(gap.differs ? [line('The chain of its store differs from what was received.')] : []),
    ...(gap.heads === 'contradicts'
      ? [line('Its store signed a head that contradicts an earlier one: its log went back or was rewritten.')]
      : []),
    ...(gap.heads === 'forged' ? [line('Heads that its store did not sign arrived under its name.')] : []),
  ];
}

function withoutKey(progress: WorkProgress): ProgressItem {
  const { key: _, ...line } = progress;
  return line;
}
