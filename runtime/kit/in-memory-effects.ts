import {
  type ClaimAnswer,
  type ClaimedEffect,
  type ClaimRequest,
  type EffectStore,
  type HeldClaim,
  mostLost,
  suspectAfter,
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
  readonly lane: string;
  readonly claims?: number;
  readonly claimedBy?: Uuid | undefined;
  readonly progress?: string;
}

/** Claims effects like the functions in PostgreSQL. */
export class InMemoryEffects implements EffectStore {
  constructor(
    private readonly kept: Map<Uuid, KeptTimer>,
    /** Milliseconds since 1970. */
    private readonly now: () => number,
    private readonly record: (record: StagedRecord) => Promise<void>,
    private readonly owner: Uuid = '',
    /** Whether the owner has the lease of a partition. */
    private readonly holds: (part: number) => boolean = () => true,
  ) {}

  /** The same effects for another host. */
  of(owner: Uuid, holds: (part: number) => boolean): InMemoryEffects {
    return new InMemoryEffects(this.kept, this.now, this.record, owner, holds);
  }

  /** What waits, or is parked, and when it is due. */
  get requests(): readonly {
    readonly error: string | null;
    readonly parked: boolean;
    readonly dueInMs: number;
  }[] {
    return this.#effects().map(({ error, parked, dueAt }) => ({
      error,
      parked,
      dueInMs: Number(dueAt - this.#micros()) / 1_000,
    }));
  }

  async claim({ parts, names, reach, lanes, suspect, forMs }: ClaimRequest): Promise<ClaimAnswer> {
    const now = this.#micros();
    const hands = new Map<string, string>();
    const picked: KeptTimer[] = [];
    const later: bigint[] = [];
    for (const { name, room, each, hand } of names) {
      const walks = parts.flatMap((part) =>
        ['1', 'n'].map((kind) => ({ part, walk: this.#lanesFrom(part, `${kind}|${name}|`, hand, reach) })),
      );
      const found = walks.flatMap(({ part, walk }) =>
        walk.flatMap((lane) => {
          const most = Math.min(lanes.get(lane) ?? each, room, hand === '' ? Infinity : 1);
          return this.#dueIn(part, lane, most, now).map((one, nth) => ({ one, nth }));
        }),
      );
      const inTurn = found.sort(
        (one, other) =>
          one.nth - other.nth || compared(one.one.lane, other.one.lane) || compared(one.one.id, other.one.id),
      );
      const taken = inTurn.slice(0, Math.max(0, room)).map(({ one }) => one);
      const served = new Set(taken.map(({ lane }) => lane));
      const waiting = inTurn.map(({ one }) => one.lane).filter((lane) => !served.has(lane));
      const cut = walks.flatMap(({ walk }) => walk[reach - 1] ?? []);
      hands.set(name, [...waiting, ...cut].sort(compared)[0] ?? '');
      picked.push(...taken);
      for (const { part, walk } of walks)
        for (const one of this.#effects())
          if (one.part === part && walk.includes(one.lane) && !one.parked && one.dueAt > now)
            later.push(one.dueAt);
    }
    const left = picked
      .filter(isSuspect)
      .sort((one, other) => compared(one.id, other.id))
      .slice(suspect ? 1 : 0);
    for (const one of left) {
      const dueAt = now + 200_000n;
      this.kept.set(one.id, { ...one, dueAt });
      later.push(dueAt);
    }
    const next = Math.min(...later.map((dueAt) => Number(dueAt - now) / 1_000));
    const effects = picked.filter((one) => !left.includes(one)).map((one) => this.#claimed(one, forMs));
    return { effects, hands, nextInMs: Number.isFinite(next) ? next : undefined };
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
      claimedBy: undefined,
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
      claimedBy: undefined,
    });
    if (isOurs && record !== undefined) await this.record(record);
    return isOurs;
  }

  async release(): Promise<void> {
    // A store in memory has one version of the application.
  }

  async othersInFlight(
    parts: readonly number[],
    names: readonly string[],
  ): ReturnType<EffectStore['othersInFlight']> {
    const now = this.#micros();
    return names.flatMap((name) => {
      const theirs = this.#effects().filter(
        (one) =>
          one.name === name &&
          parts.includes(one.part) &&
          one.dueAt > now &&
          (one.claimedBy ?? this.owner) !== this.owner,
      );
      const last = Math.max(...theirs.map(({ dueAt }) => Number(dueAt - now) / 1_000));
      return theirs.length === 0 ? [] : [{ name, count: theirs.length, endsInMs: last }];
    });
  }

  /** Lanes of an effect in which something waits, from the hand on. */
  #lanesFrom(part: number, effect: string, hand: string, reach: number): readonly string[] {
    if (!this.holds(part)) return [];
    const isWaiting = (one: KeptTimer): boolean =>
      one.part === part && !one.parked && one.lane >= hand && one.lane.startsWith(effect);
    const lanes = this.#effects()
      .filter(isWaiting)
      .map(({ lane }) => lane);
    return [...new Set(lanes)].sort(compared).slice(0, reach);
  }

  /** Of an ordered lane the first one, due or not. */
  #dueIn(part: number, lane: string, most: number, now: bigint): readonly KeptTimer[] {
    const isDue = ({ parked, dueAt }: KeptTimer): boolean => !parked && dueAt <= now;
    if (!lane.startsWith('1|'))
      return this.#effects()
        .filter((one) => isIn(one, part, lane) && isDue(one))
        .slice(0, Math.max(0, most));
    const [first] = this.#effects()
      .filter((one) => one.lane === lane)
      .sort((one, other) => one.seq - other.seq);
    return first !== undefined && most > 0 && isDue(first) ? [first] : [];
  }

  #claimed(one: KeptTimer, forMs: number): ClaimedEffect {
    const claimed = {
      ...one,
      claims: (one.claims ?? one.attempts) + 1,
      dueAt: this.#micros() + BigInt(forMs) * 1_000n,
      claimedBy: this.owner,
    };
    this.kept.set(one.id, claimed);
    const { id, name, key, attempts, claims, setAt, dueAt, data, context, progress } = claimed;
    return {
      id,
      name,
      key,
      lane: one.lane,
      attempts,
      claims,
      dueAt: timestampOfMicros(dueAt),
      askedAt: timestampOfMicros(setAt),
      ageMs: Number(this.#micros() - setAt) / 1_000,
      data: JSON.parse(data),
      context: JSON.parse(context),
      progress: progress === undefined ? undefined : JSON.parse(progress),
    };
  }

  #held({ id, dueAt }: HeldClaim): KeptTimer | undefined {
    const one = this.kept.get(id);
    const isOurs = one?.claimedBy === this.owner && (dueAt === undefined || one.dueAt === microsOf(dueAt));
    return isOurs ? one : undefined;
  }

  #change(claim: HeldClaim, changed: Partial<KeptTimer>): boolean {
    const one = claim.dueAt === undefined ? undefined : this.#held(claim);
    if (one !== undefined) this.kept.set(one.id, { ...one, ...changed });
    return one !== undefined;
  }

  #effects(): readonly KeptTimer[] {
    return [...this.kept.values()]
      .filter(({ kind }) => kind === 'effect')
      .sort((one, other) => Number(one.dueAt - other.dueAt) || (one.id < other.id ? -1 : 1));
  }

  #micros(): bigint {
    return BigInt(Math.round(this.now())) * 1_000n;
  }
}

/** It may kill its hosts. What has ended more of them is claimed to be parked, without a call. */
function isSuspect({ claims, attempts }: KeptTimer): boolean {
  const lost = (claims ?? attempts) - attempts;
  return lost >= suspectAfter && lost < mostLost;
}

export const laneOf = ({ context }: EncodedTimer): string =>
  (JSON.parse(context) as { readonly lane?: string }).lane ?? '';

const compared = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0);

const isIn = (one: KeptTimer, part: number, lane: string): boolean => one.part === part && one.lane === lane;
