import type {
  ClaimAnswer,
  ClaimedEffect,
  ClaimRequest,
  EffectStore,
  HeldClaim,
} from '../../contracts/effect-store.js';
import type { Timestamp, Uuid } from '../../contracts/scalars.js';
import type { StagedRecord } from '../../contracts/unit-store.js';
import type { EncodedTimer } from '../store/encode-lists.js';
import { microsOf, timestampOfMicros } from '../store/micros.js';

/** A timer or an effect as it is kept; a host changes the claim alone. */
export interface KeptTimer extends EncodedTimer {
  readonly dueAt: bigint;
  readonly setAt: bigint;
  /** The order in which it was asked for. */
  readonly seq: number;
  readonly claims?: number;
  readonly isClaimed?: boolean;
  readonly progress?: string;
}

/** Claims effects like the functions in PostgreSQL, for the one host of this store. */
export class InMemoryEffects implements EffectStore {
  constructor(
    private readonly kept: Map<Uuid, KeptTimer>,
    /** Milliseconds since 1970. */
    private readonly now: () => number,
    private readonly record: (record: StagedRecord) => Promise<void>,
  ) {}

  /** What waits, or is parked, and when it is due. */
  get requests(): readonly {
    readonly error: string | null;
    readonly parked: boolean;
    readonly dueInMs: number;
  }[] {
    return this.#effects().map(({ error, parked, dueAt }) => ({
      ...{ error, parked, dueInMs: Number(dueAt - this.#micros()) / 1_000 },
    }));
  }

  async claim({ hands, names, lanes, forMs }: ClaimRequest): Promise<ClaimAnswer> {
    const now = this.#micros();
    const waiting = this.#effects().filter(({ part, parked }) => hands.has(part) && !parked);
    const free = new Map(names.map(({ name, room, each }) => [name, { room, each }]));
    const taken = new Map<string, number>();
    const effects: ClaimedEffect[] = [];
    for (const one of waiting) {
      const lane = laneOf(one);
      const name = free.get(one.name);
      const count = taken.get(lane) ?? 0;
      if (one.dueAt > now || name === undefined || name.room <= 0) continue;
      if (count >= (lanes.get(lane) ?? name.each) || !this.#isFirst(one, lane)) continue;
      taken.set(lane, count + 1);
      name.room--;
      effects.push(this.#claimed(one, forMs));
    }
    const [next] = waiting.filter(({ dueAt }) => dueAt > now);
    return {
      effects,
      hands: new Map([...hands.keys()].map((part) => [part, ''])),
      nextInMs: next && Number(next.dueAt - now) / 1_000,
    };
  }

  async beat(
    claims: readonly HeldClaim[],
    forMs: number,
    progress?: unknown,
  ): Promise<ReadonlyMap<Uuid, Timestamp>> {
    const kept = new Map<Uuid, Timestamp>();
    for (const claim of claims) {
      const one = this.#held(claim);
      if (one === undefined) continue;
      const dueAt = this.#micros() + BigInt(forMs) * 1_000n;
      this.kept.set(one.id, {
        ...one,
        dueAt,
        ...(progress === undefined ? {} : { progress: JSON.stringify(progress) }),
      });
      kept.set(one.id, timestampOfMicros(dueAt));
    }
    return kept;
  }

  async tryAgain(
    claim: HeldClaim,
    { inMs, error, attempts }: Parameters<EffectStore['tryAgain']>[1],
  ): Promise<boolean> {
    const dueAt = this.#micros() + BigInt(Math.round(inMs)) * 1_000n;
    return this.#change(claim, {
      dueAt,
      attempts,
      claims: attempts,
      isClaimed: false,
      ...(error !== null && { error }),
    });
  }

  async park(claim: HeldClaim, because: Parameters<EffectStore['park']>[1]): Promise<boolean> {
    const { error, attempts, record } = because;
    const dueAt = this.#micros();
    const isOurs = this.#change(claim, {
      parked: true,
      dueAt,
      error,
      attempts,
      claims: attempts,
      isClaimed: false,
    });
    if (isOurs && record !== undefined) await this.record(record);
    return isOurs;
  }

  async release(): Promise<void> {
    // A store in memory has one version of the application.
  }

  async othersInFlight(): ReturnType<EffectStore['othersInFlight']> {
    return [];
  }

  /** Of an ordered lane the first one, whatever has become of it. */
  #isFirst({ seq }: KeptTimer, lane: string): boolean {
    return !lane.startsWith('1|') || this.#effects().every((one) => laneOf(one) !== lane || one.seq >= seq);
  }

  #claimed(one: KeptTimer, forMs: number): ClaimedEffect {
    const claimed = {
      ...one,
      claims: (one.claims ?? one.attempts) + 1,
      dueAt: this.#micros() + BigInt(forMs) * 1_000n,
      isClaimed: true,
    };
    this.kept.set(one.id, claimed);
    const { id, name, key, attempts, claims, setAt, dueAt, data, context, progress } = claimed;
    return {
      ...{ id, name, key, lane: laneOf(one), attempts, claims },
      ...{ dueAt: timestampOfMicros(dueAt), askedAt: timestampOfMicros(setAt) },
      ageMs: Number(this.#micros() - setAt) / 1_000,
      data: JSON.parse(data),
      context: JSON.parse(context),
      progress: progress === undefined ? undefined : JSON.parse(progress),
    };
  }

  #held({ id, dueAt }: HeldClaim): KeptTimer | undefined {
    const one = this.kept.get(id);
    const isOurs = one?.isClaimed === true && (dueAt === undefined || one.dueAt === microsOf(dueAt));
    return isOurs ? one : undefined;
  }

  #change(claim: HeldClaim, changed: Partial<KeptTimer>): boolean {
    const one = this.#held(claim);
    if (one !== undefined) this.kept.set(one.id, { ...one, ...changed });
    return one !== undefined;
  }

  #effects(): readonly KeptTimer[] {
    return [...this.kept.values()]
      .filter(({ kind }) => kind === 'effect')
      .sort((one, other) => Number(one.dueAt - other.dueAt) || one.seq - other.seq);
  }

  #micros(): bigint {
    return BigInt(Math.round(this.now())) * 1_000n;
  }
}

const laneOf = ({ context }: KeptTimer): string =>
  (JSON.parse(context) as { readonly lane?: string }).lane ?? '';
