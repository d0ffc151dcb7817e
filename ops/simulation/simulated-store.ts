import type { StoredEvent } from '../../contracts/event-store.js';
import type { ReactionStore } from '../../contracts/reaction-store.js';
import type { EffectStore } from '../../contracts/effect-store.js';
import type { Unit, UnitStore } from '../../contracts/unit-store.js';
import type { NotificationSource } from '../../runtime/database/notifications.js';
import { collect } from '../../runtime/kit/collect.js';
import { InMemoryEventStore } from '../../runtime/kit/in-memory-event-store.js';
import { HostLeases } from '../../runtime/leases/host-leases.js';
import { InMemoryLeases } from '../../runtime/testing/in-memory-leases.js';
import { wallClock } from './simulated-globals.js';
import type { StartedHost } from './simulated-hosts.js';
import type { SimulatedLink } from './simulated-link.js';
import type { SimulatedHost, SimulatedTime } from './simulated-time.js';

interface Listener {
  readonly host: SimulatedHost | undefined;
  readonly receive: (channel: string) => void;
  /** What it will hear: one notification is as good as two. */
  readonly coming: Set<string>;
}

const lostShare = 0.05;
const arrivesMs = [0.2, 8] as const;

/** A store that hosts share, over a link that may fail. */
export class SimulatedStore {
  readonly memory: InMemoryEventStore;
  readonly leases: InMemoryLeases;
  /** The last position of the log. */
  head = 0;
  /** By the names of cursors: who has another epoch was overtaken. */
  readonly epochs = new Map<string, number>();
  readonly #listeners = new Set<Listener>();

  constructor(
    private readonly time: SimulatedTime,
    readonly link: SimulatedLink,
    /** Called with what was committed, in order. */
    private readonly committed: (unit: Unit) => void = () => undefined,
  ) {
    this.memory = new InMemoryEventStore({ now: () => wallClock(time) });
    this.leases = new InMemoryLeases(
      () => time.now,
      () => this.head,
      rankOf,
    );
  }

  /** Without the link. */
  readonly commit = async (unit: Unit, signal?: AbortSignal): Promise<void> => {
    await this.memory.commit(unit, signal);
    // It was stored before.
    if (unit.events[0]?.recordedAt === null) return;
    this.head = Math.max(this.head, unit.events.at(-1)?.globalPosition ?? 0);
    this.committed(unit);
    this.#notify('svc');
  };

  /** As a host reaches it. */
  get units(): UnitStore {
    const { link, memory, commit } = this;
    const read = async function* (events: () => AsyncIterable<StoredEvent>): AsyncIterable<StoredEvent> {
      yield* await link.read(() => collect(events()));
    };
    return {
      upcasters: memory.upcasters,
      reservationKey: memory.reservationKey,
      commit: (unit, signal) => link.write(() => commit(unit, signal), signal),
      append: (...asked) => link.write(() => memory.append(...asked)),
      read: (...asked) => read(() => memory.read(...asked)),
      readAll: (...asked) => read(() => memory.readAll(...asked)),
      lastPosition: (stream) => link.read(() => memory.lastPosition(stream)),
    };
  }

  get reactions(): ReactionStore {
    const { reactions } = this.memory;
    const takeCursor: ReactionStore['takeCursor'] = async (name, ...asked) => {
      const progress = await reactions.takeCursor(name, ...asked);
      this.epochs.set(name, progress.epoch);
      return progress;
    };
    return linked(this.link, reactions, { takeCursor });
  }

  effectsOf({ id }: StartedHost): EffectStore {
    return linked(
      this.link,
      this.memory.effects.of(id, (part) => this.leases.holds(`timers/${part}`, id)),
    );
  }

  leasesOf({ id, name, version }: StartedHost): HostLeases {
    const own = this.leases.of({ owner: id, name, version, broadcast: false });
    const notify = () => this.#notify('svc_lease');
    const leases = {
      owner: id,
      turn: (...asked: Parameters<typeof own.turn>) => this.link.read(() => own.turn(...asked)),
      hosts: (leaseMs: number) => this.link.read(() => own.hosts(leaseMs)),
      release: (...asked: Parameters<typeof own.release>) =>
        this.link.inTime(() => own.release(...asked).then(notify)),
    };
    return new HostLeases(leases, version, this.notifications);
  }

  /** Some are lost. */
  get notifications(): NotificationSource {
    return {
      subscribe: (receive) => {
        const listener = { host: this.time.host, receive, coming: new Set<string>() };
        this.#listeners.add(listener);
        return () => void this.#listeners.delete(listener);
      },
    };
  }

  #notify(channel: string): void {
    const { time } = this;
    for (const listener of this.#listeners) {
      const { host, coming, receive } = listener;
      if (host?.isAlive === false) this.#listeners.delete(listener);
      if (coming.has(channel) || time.chance(lostShare)) continue;
      coming.add(channel);
      time.on(host, time.between(...arrivesMs), () => {
        coming.delete(channel);
        receive(channel);
      });
    }
  }
}

/** Every method is a call over the link. */
function linked<T extends object>(link: SimulatedLink, target: T, instead: Partial<T> = {}): T {
  return new Proxy(target, {
    get: (_, name) => {
      const method: unknown = Reflect.get(name in instead ? instead : target, name, target);
      return typeof method === 'function'
        ? (...asked: unknown[]) => link.read(() => Reflect.apply(method, target, asked) as unknown)
        : method;
    },
  });
}

/** Any order does. */
const rankOf = (name: string): number => {
  let rank = 0;
  for (let at = 0; at < name.length; at++) rank = Math.imul(rank ^ name.charCodeAt(at), 0x9e3779b1);
  return rank;
};
