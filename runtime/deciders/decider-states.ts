import type { AnyDecider } from '../../contracts/decider.js';
import type { Uuid } from '../../contracts/scalars.js';
import type { StagedEvent } from '../../contracts/unit-store.js';
import { Upcasters } from '../../contracts/upcaster.js';
import { log } from '../logging/log.js';
import { committedEvent } from '../envelope/staged-event.js';
import { evolve, type EvolveOptions, type HeldState } from './evolve.js';
import type { KeptState, KeptStates } from './kept-states.js';
import { freezePlain, sizeOf } from '../lang/plain-state.js';
import { type CacheLimits, type KnownState, StateCache } from './state-cache.js';

export interface DeciderStatesOptions {
  /** Of the store of the events. */
  readonly upcasters?: Upcasters | undefined;
  /** Where states outlive the host. */
  readonly kept?: KeptStates | undefined;
  /** Whether a state that is changed in place is refused; on unless it is switched off. */
  readonly freezes?: boolean;
  /** Rises whenever the host connects again: another store may answer. */
  readonly changes?: () => number;
  readonly limits?: CacheLimits;
  /** After how many more events a state is kept again (default 200). */
  readonly keptEvery?: number;
}

/** Where the states of commands came from. */
export type StateSource = 'cache' | 'snapshot' | 'stream';

const defaultKeptEvery = 200;
const maxKeptLength = 65_536;
const maxKeeping = 4;

/** The states of the deciders of a host: those in its memory, and those that are kept in the store. */
export class DeciderStates {
  readonly counts: Record<StateSource, number> = { cache: 0, snapshot: 0, stream: 0 };
  readonly evolving: EvolveOptions;
  readonly #cache: StateCache;
  readonly upcasters: Upcasters;
  #changes = 0;
  #keeping = 0;

  constructor(private readonly options: DeciderStatesOptions = {}) {
    const upcasters = (this.upcasters = options.upcasters ?? new Upcasters());
    const cache = (this.#cache = new StateCache(options.limits));
    this.evolving = {
      freezes: options.freezes ?? true,
      isSealed: (type) => upcasters.sealing?.has(type) === true,
      get forgets() {
        return cache.forgets;
      },
    };
  }

  cached(decider: AnyDecider, streamId: Uuid): KnownState | undefined {
    const changes = this.options.changes?.() ?? 0;
    if (changes !== this.#changes) this.#cache.clear();
    this.#changes = changes;
    return this.#cache.get(decider, streamId);
  }

  /** The kept state of a stream; one that cannot be read counts as absent. */
  async kept({ name, version }: AnyDecider, streamId: Uuid): Promise<HeldState | undefined> {
    const { forgets } = this.evolving;
    const found = await this.options.kept?.find({ decider: name, version, streamId });
    return found === undefined ? undefined : heldOf(found, { ...this.evolving, forgets });
  }

  /** A state that was just read. */
  read(decider: AnyDecider, streamId: Uuid, held: HeldState): HeldState {
    return held.isStored ? this.#enter(decider, streamId, held) : held;
  }

  /** A command was decided from the cached state, and its commit is under way or fails. */
  doubt(decider: AnyDecider, streamId: Uuid): void {
    this.#cache.doubt(decider, streamId);
  }

  /** The cached state is not one of this stream. */
  drop(decider: AnyDecider, streamId: Uuid): void {
    this.#cache.drop(decider, streamId);
  }

  /** The events that were decided on `before` are committed; `sure`: the state after them, where it is known. */
  committed(
    decider: AnyDecider,
    streamId: Uuid,
    before: HeldState,
    staged: readonly StagedEvent[],
    sure?: HeldState,
  ): void {
    const after = this.#after(decider, before, staged, sure);
    if (after !== undefined) this.#enter(decider, streamId, after);
    else if (before.isStored && before.position > 0) this.#cache.put(decider, streamId, before, false);
    else this.#cache.doubt(decider, streamId);
  }

  #after(
    decider: AnyDecider,
    before: HeldState,
    staged: readonly StagedEvent[],
    sure: HeldState | undefined,
  ): HeldState | undefined {
    if (!before.isStored || staged[0]?.position !== before.position + 1) return undefined;
    if (staged.some(({ recordedAt }) => recordedAt === undefined || recordedAt === null)) return undefined;
    if (sure !== undefined) return sure;
    const events = staged.map((event) => committedEvent(event, this.upcasters));
    return events.every((event) => event !== undefined)
      ? evolve(decider, before, events, this.evolving)
      : undefined;
  }

  /** A subject was forgotten: no state may hold its values. */
  forgetSubjects(): void {
    this.#cache.dropSealed();
  }

  #enter(decider: AnyDecider, streamId: Uuid, held: HeldState): HeldState {
    if (held.position === 0) return held;
    const { keptEvery = defaultKeptEvery } = this.options;
    const keptAt = Math.max(held.keptAt, this.#cache.get(decider, streamId)?.held.keptAt ?? 0);
    const isDue = held.position - keptAt >= keptEvery && !held.isSealed && this.#keeping < maxKeeping;
    const entered = { ...held, keptAt: isDue ? held.position : keptAt };
    this.#cache.put(decider, streamId, entered, true);
    if (isDue && this.options.kept !== undefined) void this.#keep(decider, streamId, held);
    return entered;
  }

  /** Never with values of subjects: their ciphertext stays in the events. */
  async #keep(
    decider: AnyDecider,
    streamId: Uuid,
    { state, position, eventId = '' }: HeldState,
  ): Promise<void> {
    const { name, version } = decider;
    const text = sizeOf(state) === Infinity ? undefined : JSON.stringify(state);
    if (text === undefined || Buffer.byteLength(text) > maxKeptLength) {
      log.warn({ decider: name, streamId }, 'a state is not kept: it is over 64 KiB or not plain JSON data');
      return;
    }
    this.#keeping++;
    try {
      await this.options.kept?.keep({ decider: name, version, streamId }, { position, eventId, state: text });
    } catch (error) {
      log.warn({ decider: name, err: error }, 'the state of a decider could not be kept');
    } finally {
      this.#keeping--;
    }
  }
}

function heldOf(
  { position, eventId, state: text }: KeptState,
  { freezes, forgets }: EvolveOptions,
): HeldState | undefined {
  try {
    const state: unknown = JSON.parse(text);
    if (freezes) freezePlain(state);
    return { state, position, eventId, isSealed: false, isStored: true, keptAt: position, forgets };
  } catch {
    return undefined;
  }
}
