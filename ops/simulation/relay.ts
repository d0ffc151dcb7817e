import { startOutboxRelay } from '../../actors/outbox/outbox-relay.js';
import { type OutboundMessage, TransportUnreachable } from '../../contracts/transport.js';
import type { Uuid } from '../../contracts/scalars.js';
import { HostLeases, leaseDefaults } from '../../runtime/leases/host-leases.js';
import type { Outbox } from '../../runtime/outbox/outbox.js';
import { everything, InMemoryOutbox } from '../../runtime/testing/in-memory-outbox.js';
import { leasesOver } from '../../runtime/testing/leases.js';
import { type EngineRun, Findings } from './engine-run.js';
import { type StartedHost, SimulatedHosts } from './simulated-hosts.js';
import { fair, SimulatedLink } from './simulated-link.js';
import type { SimulatedTime } from './simulated-time.js';

const messages = 50;
const streams = 5;
const appendedWithinMs = 4_000;
const troubledMs = 7_000;
const settleMs = 120_000;
const afterwardsMs = 4_000;
/** Of a stream at once, when the broker keeps the order. */
const inFlight = { all: 12, perStream: 4 };
const [usualBrokerMs, slowBrokerMs] = [20, 400];
const unreachableMs = [100, 3_000] as const;

/** The relays of a few hosts, over a broker that refuses, loses answers and cannot be reached at times. */
export async function relay(time: SimulatedTime): Promise<EngineRun> {
  const world = new RelayWorld(time, new SimulatedLink(time));
  const { hosts, link, found, outbox } = world;
  world.trouble();
  hosts.start(1 + time.below(3));
  hosts.trouble(troubledMs);
  const bursts = [0, 1, 2].map(() => time.between(0, appendedWithinMs));
  for (let n = 0; n < messages; n++) {
    const atMs = bursts[time.below(2 * bursts.length)] ?? time.between(0, appendedWithinMs);
    time.on(undefined, atMs, () => outbox.append(`stream-${time.below(streams)}`));
  }
  await time.until(() => false, troubledMs);
  link.weather = fair;
  world.isBrokerFair = true;
  const isDone = await time.until(() => outbox.cursor === messages, settleMs);
  found.must(isDone, `the relay stopped at ${outbox.cursor} of ${messages}`);
  await time.until(() => false, afterwardsMs);
  world.checkAll();
  return { found: found.all, work: messages, faults: link.faults + hosts.faults + world.refused };
}

interface SlowRun {
  readonly found: readonly string[];
  /** How often each message was sent, on average. */
  readonly sent: number;
}

/** Three relays over a store that takes so long for the way there and for the way back. */
export async function relaysOverSlowStore(
  time: SimulatedTime,
  callMs: readonly [least: number, most: number],
): Promise<SlowRun> {
  const world = new RelayWorld(time, new SimulatedLink(time, fair, callMs));
  const { hosts, found, outbox } = world;
  world.isBrokerFair = true;
  hosts.start(3);
  for (let n = 0; n < messages; n++)
    time.on(undefined, time.between(0, appendedWithinMs), () => outbox.append(`stream-${n % streams}`));
  const isDone = await time.until(() => outbox.cursor === messages, settleMs);
  found.must(isDone, `the relay stopped at ${outbox.cursor} of ${messages}`);
  return { found: found.all, sent: world.sent / messages };
}

class RelayWorld {
  readonly found = new Findings();
  readonly outbox = new InMemoryOutbox();
  readonly hosts: SimulatedHosts;
  isBrokerFair = false;
  refused = 0;
  sent = 0;
  /** What the broker has, by the id of the message. */
  readonly #arrived = new Set<Uuid>();
  /** The last position of each stream. */
  readonly #last = new Map<string, number>();
  readonly #keepsOrder: boolean;
  readonly #slowestMs: number;
  #unreachableUntil = 0;

  constructor(
    private readonly time: SimulatedTime,
    readonly link: SimulatedLink,
  ) {
    this.hosts = new SimulatedHosts(time, (host) => this.#begin(host));
    this.#keepsOrder = time.chance(0.5);
    this.#slowestMs = time.chance(0.3) ? slowBrokerMs : usualBrokerMs;
  }

  /** The broker cannot be reached for a moment, a few times. */
  trouble(): void {
    const { time } = this;
    for (let n = time.below(3); n > 0; n--)
      time.on(undefined, time.between(0, troubledMs), () => {
        this.#unreachableUntil = time.now + time.between(...unreachableMs);
      });
  }

  checkAll(): void {
    const { outbox, found } = this;
    const missing = outbox.messages.filter(
      ({ id, position }) => !this.#arrived.has(id) && !outbox.dead.has(position),
    );
    found.must(missing.length === 0, `${missing.length} messages were never published`);
  }

  #begin(host: StartedHost): void {
    const { link, outbox } = this;
    const leases = leasesOver(outbox, host.id);
    const { renewMs, leaseMs } = leaseDefaults;
    const own = new HostLeases(
      {
        ...leases,
        turn: (...asked) => link.read(() => leases.turn(...asked)),
        // One that came later would take the lease from who has taken it again: only the fence covers that.
        release: (...asked) => link.inTime(() => leases.release(...asked)),
      },
      '1',
      { subscribe: () => () => undefined },
      { renewMs, leaseMs },
    );
    startOutboxRelay(
      {
        outbox: this.#linked(host),
        filter: everything,
        report: () => undefined,
        leases: own,
        transport: this.#transportOf(host),
      },
      { pageSize: 20, inFlight: inFlight.all, perStream: inFlight.perStream, idleMs: 500, maxAttempts: 3 },
      (error) => this.found.must(false, `a relay crashed: ${String(error)}`),
    );
  }

  #linked({ id }: StartedHost): Outbox {
    const { link, outbox, found } = this;
    const own = outbox.heldBy(id);
    const isHeld = (): boolean => outbox.owner === id;
    const fenced = <T>(write: () => Promise<T>): Promise<T> =>
      link.read(async () => {
        const written = await write();
        found.must(written !== true || isHeld(), 'a relay without the lease wrote');
        return written;
      });
    return {
      ...own,
      acquireLease: (ms) => link.read(() => own.acquireLease(ms)),
      page: (...asked) => link.read(() => own.page(...asked)),
      advance: (from, to, ms) =>
        fenced(async () => {
          const moved = await own.advance(from, to, ms);
          if (moved) this.#checkPassed(from, to);
          return moved;
        }),
      recordRejection: (...asked) => fenced(() => own.recordRejection(...asked)),
      deadLetter: (...asked) => fenced(() => own.deadLetter(...asked)),
    };
  }

  #checkPassed(from: number, to: number): void {
    const { outbox, found } = this;
    for (const { id, position } of outbox.messages.slice(from, to))
      found.must(
        this.#arrived.has(id) || outbox.dead.has(position),
        `the cursor passed ${position}, which was not published`,
      );
  }

  /** One connection: what is sent on it arrives in order, and is lost with what was sent before. */
  #transportOf(host: StartedHost) {
    const { time, outbox, found } = this;
    let [arrivesAt, running, sent, lost] = [0, 0, 0, 0];
    const answer = async (isLost: boolean): Promise<void> => {
      await this.#afterMs(time.between(0.2, 10));
      if (isLost) throw new TransportUnreachable();
    };
    const publish = async (message: OutboundMessage): Promise<void> => {
      found.must(outbox.owner === host.id, 'a relay without the lease published');
      found.must(++running <= inFlight.all, `more than ${inFlight.all} messages were in flight`);
      const nth = ++sent;
      this.sent++;
      try {
        const isLost = !this.isBrokerFair && time.chance(0.02);
        const isRefused = !this.isBrokerFair && !this.#keepsOrder && time.chance(0.04);
        arrivesAt = Math.max(arrivesAt, time.now + time.between(0.2, this.#slowestMs));
        await this.#afterMs(arrivesAt - time.now);
        if (isRefused) throw this.#refusal();
        if (time.now < this.#unreachableUntil) lost = sent;
        if (nth <= lost) throw new TransportUnreachable();
        this.#take(message);
        await answer(isLost);
      } finally {
        running--;
      }
    };
    return { publish, ping: () => this.link.read(() => undefined), keepsOrder: this.#keepsOrder };
  }

  #refusal(): RangeError {
    this.refused++;
    return new RangeError('not now');
  }

  #afterMs(ms: number): Promise<void> {
    return new Promise((resolve) => this.time.after(ms, resolve));
  }

  /** The first time that a message arrives, those before it in its stream are there, or are dead letters. */
  #take({ id, envelope: { streamId, streamPosition } }: OutboundMessage): void {
    if (this.#arrived.has(id)) return;
    this.#arrived.add(id);
    const last = this.#last.get(streamId) ?? 0;
    const between = this.outbox.messages.filter(
      ({ envelope, position }) =>
        envelope.streamId === streamId &&
        envelope.streamPosition > last &&
        envelope.streamPosition < streamPosition &&
        !this.outbox.dead.has(position),
    );
    this.found.must(
      between.length === 0 && streamPosition > last,
      `${streamId} jumped from ${last} to ${streamPosition}`,
    );
    this.#last.set(streamId, Math.max(last, streamPosition));
  }
}
