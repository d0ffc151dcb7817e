import { namedUuid } from '../../runtime/lang/named-uuid.js';
import type { Uuid } from '../../contracts/scalars.js';
import type { SimulatedHost, SimulatedTime } from './simulated-time.js';

export interface StartedHost extends SimulatedHost {
  /** The owner of its leases. */
  readonly id: Uuid;
  /** Of its application. */
  readonly version: string;
}

const mostFaults = 5;
const restartMs = [50, 2_500] as const;
/** A pause of a busy machine, and one that is longer than every lease. */
const pausesMs: readonly (readonly [least: number, most: number])[] = [
  [5, 80],
  [1_000, 20_000],
];

/** The hosts of a store: each that ends is followed by another one. */
export class SimulatedHosts {
  readonly all: StartedHost[] = [];
  faults = 0;
  #started = 0;
  #version = '1';

  constructor(
    private readonly time: SimulatedTime,
    private readonly begin: (host: StartedHost) => void,
  ) {}

  start(count: number): void {
    for (let n = 0; n < count; n++) this.#startAnother();
  }

  /** Kills and freezes hosts, at most a few times, until then. */
  trouble(withinMs: number): void {
    const { time } = this;
    for (let n = time.below(mostFaults + 1); n > 0; n--)
      time.on(undefined, time.between(0, withinMs), () => this.#disturb());
  }

  /** Every host gives way to one of a newer version, one by one. */
  replaceAll(version: string): void {
    this.#version = version;
    for (const [index, host] of [...this.all].entries())
      this.time.on(undefined, index * this.time.between(...restartMs), () => this.#kill(host));
  }

  #disturb(): void {
    const { time, all } = this;
    const host = all[time.below(all.length)];
    if (host === undefined) return;
    this.faults++;
    const kind = time.below(1 + pausesMs.length);
    const pauseMs = pausesMs[kind];
    if (pauseMs === undefined) this.#kill(host);
    else host.frozenUntil = time.now + time.between(...pauseMs);
  }

  #kill(host: StartedHost): void {
    const index = this.all.indexOf(host);
    if (index < 0) return;
    host.isAlive = false;
    this.all.splice(index, 1);
    this.time.on(undefined, this.time.between(...restartMs), () => this.#startAnother());
  }

  #startAnother(): void {
    const name = `host-${++this.#started}`;
    const host: StartedHost = {
      name,
      id: namedUuid('host', name),
      version: this.#version,
      isAlive: true,
      frozenUntil: 0,
    };
    this.all.push(host);
    this.time.on(host, 0, () => this.begin(host));
  }
}
