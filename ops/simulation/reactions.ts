import { setTimeout as pause } from 'node:timers/promises';
import { RunningReactions } from '../../actors/reactions/running-reactions.js';
import { EventFigures } from '../../actors/reactions/event-figures.js';
import { InFlight } from '../../actors/reactions/in-flight.js';
import { reactionWork } from '../../actors/reactions/reaction-work.js';
import { RetrySlots } from '../../actors/reactions/retry-slots.js';
import { attemptDefaults } from '../../actors/reactions/step-attempt.js';
import { BlockingCode } from '../../actors/steps/blocking-code.js';
import { LocalDispatcher } from '../../actors/commands/dispatcher.js';
import { Command, Event } from '../../contracts/message.js';
import { Problem } from '../../contracts/problems.js';
import type { Reaction } from '../../contracts/reaction.js';
import type { UnitOfWork } from '../../contracts/receptor.js';
import type { Unit } from '../../contracts/unit-store.js';
import { collect } from '../../runtime/kit/collect.js';
import { namedUuid } from '../../runtime/lang/named-uuid.js';
import { LogTail } from '../../runtime/log/log-tail.js';
import { sharedPages } from '../../runtime/log/shared-pages.js';
import { inMemoryCursorLog } from '../../runtime/testing/in-memory-cursor-log.js';
import { appendUnit } from '../../runtime/unit/append-unit.js';
import { type EngineRun, Findings } from './engine-run.js';
import { type StartedHost, SimulatedHosts } from './simulated-hosts.js';
import { fair, SimulatedLink } from './simulated-link.js';
import { SimulatedStore } from './simulated-store.js';
import type { SimulatedTime } from './simulated-time.js';

class Placed extends Event {
  declare n: number;
  declare customer: string;
}
class Reserve extends Command {
  declare n: number;
  declare customer: string;
}
class Reserved extends Event {
  declare n: number;
  declare customer: string;
}

/** What happens when an event is handled. */
interface Script {
  readonly customer: string;
  readonly causesNothing: boolean;
  readonly isRefusedByVersion1: boolean;
  readonly slowMs: number;
  readonly readsShared: boolean;
  failuresLeft: number;
}

const events = 20;
const customers = 5;
const inFlight = 6;
/** The last ones come when all hosts are up to date and nothing fails. */
const late = 3;
/** Bursts: what is idle is looked at for every event that comes alone. */
const bursts = 5;
const burstMs = 20;
const placedWithinMs = 3_000;
const troubledMs = 4_000;
const updateMs = 4_000;
const settleMs = 300_000;
const afterwardsMs = 2_000;
const shared = namedUuid('stream', 'shared');

/** Reactions on a few hosts: leases, followers, cursors and lines, while hosts are killed, frozen and updated. */
export async function reactions(time: SimulatedTime): Promise<EngineRun> {
  const world = new ReactionWorld(time);
  const { store, hosts, found, link } = world;
  hosts.start(1 + time.below(2));
  hosts.trouble(troubledMs);
  world.place();
  await time.until(() => false, placedWithinMs + troubledMs);
  link.weather = fair;
  hosts.replaceAll('2');
  await time.until(() => false, updateMs);
  const isDone = await time.until(() => world.isDone, settleMs);
  found.must(isDone, `${world.left.join()} were not handled within 5 minutes`);
  await time.until(() => false, afterwardsMs);
  return { found: found.all, work: store.head, faults: link.faults + hosts.faults };
}

class ReactionWorld {
  readonly found = new Findings();
  readonly link: SimulatedLink;
  readonly store: SimulatedStore;
  readonly hosts: SimulatedHosts;
  readonly #scripts: readonly Script[];
  readonly #done = new Set<number>();
  /** The last event of each customer. */
  readonly #last = new Map<string, number>();
  readonly #reaction: Reaction<Placed>;
  readonly #isServing: boolean;
  /** How many events cause something. */
  readonly #caused: number;

  constructor(private readonly time: SimulatedTime) {
    this.link = new SimulatedLink(time);
    this.store = new SimulatedStore(time, this.link, (unit) => this.#check(unit));
    this.hosts = new SimulatedHosts(time, (host) => this.#begin(host));
    this.#scripts = Array.from({ length: events }, () => scriptFrom(time));
    this.#caused = this.#scripts.filter(({ causesNothing }) => !causesNothing).length;
    this.#isServing = time.chance(0.5);
    const isKeyed = time.chance(0.5);
    this.#reaction = {
      name: 'reserve',
      events: [Placed],
      from: 'start',
      react: ({ payload: { n, customer } }) =>
        this.#scripts[n]?.causesNothing === true ? undefined : Reserve.of({ n, customer }),
      ...(isKeyed && { key: ({ payload }) => payload.customer }),
    };
  }

  get left(): readonly number[] {
    return [...this.#scripts.keys()].filter(
      (n) => this.#scripts[n]?.causesNothing === false && !this.#done.has(n),
    );
  }

  get isDone(): boolean {
    return this.#done.size === this.#caused;
  }

  place(): void {
    const lateMs = placedWithinMs + troubledMs + updateMs;
    const starts = Array.from({ length: bursts }, () => this.time.between(0, placedWithinMs));
    const times = this.#scripts
      .map(
        (_, n) =>
          (starts[n % bursts] ?? 0) + this.time.between(0, burstMs) + (n < events - late ? 0 : lateMs),
      )
      .toSorted((one, other) => one - other);
    for (const [n, { customer }] of this.#scripts.entries()) {
      const envelope = {
        messageId: namedUuid('placed', String(n)),
        messageType: 'Placed',
        payload: { n, customer },
        timestamp: '2026-01-01T00:00:00Z',
        v: 1 as const,
      };
      const unit = appendUnit(namedUuid('customer', customer), envelope, {});
      this.time.on(undefined, times[n] ?? 0, () => void this.store.commit(unit));
    }
  }

  /** What a host does from its start on. */
  #begin(host: StartedHost): void {
    const { time, store } = this;
    const dispatcher = new LocalDispatcher({ store: store.units, deadlineMs: 30_000 });
    const running = new Running(this.found);
    dispatcher.register([
      {
        command: Reserve,
        receptor: { handle: (command: Reserve, work) => this.#reserve(command, work, host, running) },
      },
    ]);
    const log = inMemoryCursorLog(store.memory, this.#reaction);
    const tail = new LogTail((_, ...asked) => this.link.read(() => log.page(...asked)));
    const figures = new EventFigures();
    const own = new RunningReactions(
      {
        dispatcher,
        store: store.units,
        reactions: store.reactions,
        deadlineMs: 30_000,
        code: new BlockingCode(undefined, { now: () => time.now, usedMs: () => 0 }),
        settings: attemptDefaults,
        version: host.version,
        inFlight: new InFlight(inFlight, new RetrySlots(() => this.#isServing)),
        leases: store.leasesOf(host),
        logOf: (work) => sharedPages(work, tail, store.memory.upcasters, () => 0),
        figuresOf: () => figures,
        isBusy: () => time.chance(0.02),
        isSensitive: () => false,
        secretsIn: () => undefined,
        caughtUp: () => Promise.resolve(),
        committed: () => undefined,
        recordOf: () => undefined,
      },
      [reactionWork(this.#reaction)],
    );
    own.start((error) => this.found.must(false, `a follower crashed: ${String(error)}`));
  }

  async #reserve(
    { n, customer }: Reserve,
    work: UnitOfWork,
    host: StartedHost,
    running: Running,
  ): Promise<void> {
    const script = this.#scripts[n];
    if (script === undefined) return;
    if (script.readsShared) await collect(work.read(shared));
    running.enter(customer);
    try {
      if (script.slowMs > 0) await pause(script.slowMs, undefined, { signal: work.signal });
      if (script.isRefusedByVersion1 && host.version === '1')
        throw new Problem('out-of-stock', { status: 422 });
      if (script.failuresLeft-- > 0) throw new TypeError('not now');
      const stream = script.readsShared ? shared : namedUuid('stock', customer);
      const options = script.readsShared ? {} : ({ expectedPosition: 'any' } as const);
      work.append(stream, Reserved.of({ n, customer }), options);
    } finally {
      running.leave(customer);
    }
  }

  #check({ events: stored, lists }: Unit): void {
    for (const { cursor } of [...(lists?.handled ?? []), ...(lists?.aside ?? [])])
      this.found.must(
        cursor.epoch === this.store.epochs.get(cursor.name),
        `a host that was overtaken wrote ${cursor.name}`,
      );
    for (const { envelope } of stored) {
      if (envelope.messageType !== 'Reserved') continue;
      const { n, customer } = envelope.payload as Reserved;
      this.found.must(!this.#done.has(n), `${n} was handled twice`);
      this.found.must(
        n > (this.#last.get(customer) ?? -1),
        `${n} was handled after a later event of its key`,
      );
      this.#done.add(n);
      this.#last.set(customer, n);
    }
  }
}

/** What one host runs at the moment. */
class Running {
  readonly #keys: string[] = [];

  constructor(private readonly found: Findings) {}

  enter(key: string): void {
    this.found.must(!this.#keys.includes(key), `two events of ${key} ran at the same time`);
    this.#keys.push(key);
    this.found.must(this.#keys.length <= inFlight, `more than ${inFlight} events ran at the same time`);
  }

  leave(key: string): void {
    this.#keys.splice(this.#keys.indexOf(key), 1);
  }
}

const scriptFrom = (time: SimulatedTime): Script => ({
  customer: `customer-${time.below(customers)}`,
  causesNothing: time.chance(0.08),
  isRefusedByVersion1: time.chance(0.03),
  slowMs: time.chance(0.05) ? time.between(100, 5_000) : time.chance(0.5) ? time.between(1, 20) : 0,
  readsShared: time.chance(0.2),
  failuresLeft: time.chance(0.12) ? 1 + time.below(7) : 0,
});
