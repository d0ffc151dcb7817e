import type { HealthFigures, HealthLine } from '../../model/health.js';
import type { HostLine, Overview, ProgressLine } from '../../model/overview.js';
import type { CheckStatus, ReceivedStatus } from '../../../../runtime/inbox/host-status.js';
import type { ReceivedGap } from '../../../../runtime/inbox/received-gaps.js';
import { type Progress, progressAfter } from './progress.js';
import { lineOf, type ReceivedRecord } from './received-record.js';

/** Where a host is found: the same name may be in use at another store. */
export interface HostPlace {
  readonly host: string;
  readonly store: string;
}

interface Known extends HostPlace {
  readonly name: string;
  lastSeen: string;
  position?: number;
  status?: ReceivedStatus;
}

/** The events that tell of something that went wrong. */
export const failureTypes: readonly string[] = [
  'CommandFailed',
  'HookFailed',
  'PerspectiveFailed',
  'MessageDeadLettered',
];

const mostFailures = 100;
/** Beyond that somebody makes them up. */
const mostHosts = 1_000;
const silentAfterMs = 30_000;

/** Every host that was heard of: by what it recorded, and by what it says about itself. */
export class Roster {
  readonly #hosts = new Map<string, Known>();
  #progress: readonly Progress[] = [];
  #failures: readonly ReceivedRecord[] = [];
  #gaps: ReadonlyMap<string, ReceivedGap> = new Map();

  constructor(
    private readonly own: string,
    private readonly now: () => number = Date.now,
  ) {}

  heard(status: ReceivedStatus): void {
    const known = this.#meet(status, status.saidAt);
    if (known !== undefined && (known.status?.saidAt ?? '') <= status.saidAt) known.status = status;
  }

  recorded(place: HostPlace, recordedAt: string, position: number): void {
    const known = this.#meet(place, recordedAt);
    if (known !== undefined) known.position = Math.max(known.position ?? 0, position);
  }

  saw(record: ReceivedRecord): void {
    this.recorded(record, record.recordedAt, record.position);
    this.#progress = progressAfter(this.#progress, record);
    if (failureTypes.includes(record.eventType))
      this.#failures = [record, ...this.#failures].slice(0, mostFailures);
  }

  /** What did not come from each store, or is not what its store says. */
  compared(gaps: readonly ReceivedGap[]): void {
    this.#gaps = new Map(gaps.map((gap) => [gap.store, gap]));
  }

  get names(): readonly string[] {
    return [...this.#hosts.values()].map(({ name }) => name).toSorted();
  }

  placeOf(name: string): HostPlace | undefined {
    return this.#named(name);
  }

  lineOf(name: string): HostLine | undefined {
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
      failures: this.#failures.map(lineOf),
    };
  }

  #named(name: string): Known | undefined {
    return [...this.#hosts.values()].find((known) => known.name === name);
  }

  #meet({ host, store }: HostPlace, at: string): Known | undefined {
    const key = `${store} ${host}`;
    // A clock that is ahead of ours must not keep a host alive.
    const seen = new Date(Math.min(this.now(), Date.parse(at))).toISOString();
    const known = this.#hosts.get(key);
    if (known !== undefined) {
      if (seen > known.lastSeen) known.lastSeen = seen;
      return known;
    }
    if (this.#hosts.size >= mostHosts) return undefined;
    const isTaken = host === this.own || this.#named(host) !== undefined;
    const met: Known = { host, store, name: isTaken ? `${host} (${store.slice(-8)})` : host, lastSeen: seen };
    this.#hosts.set(key, met);
    return met;
  }

  #line(known: Known): HostLine {
    const { name, store, lastSeen, position, status } = known;
    return {
      name,
      store,
      service: status?.service,
      version: status?.version,
      startedAt: status?.startedAt,
      state: this.#stateOf(known),
      status: status?.status,
      ill: [
        ...(status?.checks.filter((check) => check.status !== 'Healthy').map(healthLine) ?? []),
        ...gapLines(this.#gaps.get(store)),
      ],
      lastSeen,
      position,
    };
  }

  #stateOf({ status, lastSeen }: Known): HostLine['state'] {
    if (status?.state === 'stopped' && status.saidAt >= lastSeen) return 'stopped';
    if (this.now() - Date.parse(lastSeen) > silentAfterMs) return 'silent';
    return status === undefined ? 'heard of' : 'up';
  }
}

const healthLine = (check: CheckStatus): HealthLine => ({ tags: [], ...check });

function gapLines(gap: ReceivedGap | undefined): HealthLine[] {
  if (gap === undefined) return [];
  const line = (detail: string): HealthLine => ({ name: 'received', tags: [], status: 'Degraded', detail });
  return [
    ...(gap.missing > 0 ? [line(`${gap.missing} records of its store were not received.`)] : []),
    ...(gap.differs ? [line('The chain of its store is not what was received.')] : []),
  ];
}

function withoutKey(progress: Progress): ProgressLine {
  const { key: _, ...line } = progress;
  return line;
}
