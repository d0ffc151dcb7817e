import type { ClaimRequest } from '../../contracts/effect-store.js';
import type { KnownEffect, KnownEffects, KnownRate } from '../../runtime/effects/known-effect.js';
import { lineOf } from '../../runtime/effects/effect-row.js';
import { Lru } from '../../runtime/lang/lru.js';
import { LanesInOrder } from './lanes-in-order.js';

/** Milliseconds of a clock that never goes back. */
type Time = number;

interface Bucket {
  readonly tokens: number;
  readonly at: Time;
}

type NameToClaim = ClaimRequest['names'][number];
/** How many more of an effect may begin, and of one lane that has none in flight. */
type EffectRoom = Omit<NameToClaim, 'hand'>;

/** What other hosts still have in flight of an effect that has a limit. */
interface OthersInFlight {
  readonly count: number;
  readonly until: Time;
}

/** How many attempts of a lane have failed since one was answered. */
interface Failing {
  readonly count: number;
  readonly restsUntil: Time;
  /** How many calls the lane may have at once. */
  readonly perLane: number;
}

const perHost = 64;
const maxLanes = 10_000;
const maxLaneLength = 1_000_000;
/** This part of a rate may begin at once; the rest comes with time. */
const burst = 0.05;

/**
 * A system that is down must neither be called as fast as it refuses, nor hold the places of others: after so many failures
 * in a row a lane has one attempt at once, and rests after each.
 */
const failuresBeforeRest = 16;
const restMs = 1_000;
/**
 * Lanes of which as many attempts in a row failed as they may have at once share these places: systems that never answer must
 * not hold all places of a host, however many they are.
 */
const placesOfFailing = 16;

/** What one host may begin: of each effect, and of each lane. */
export class Lanes {
  readonly #running = new Map<string, number>();
  readonly #lanes = new Map<string, number>();
  readonly #rates = new Map<string, Bucket>();
  readonly #laneRates = new Lru<Bucket>(maxLanes, maxLaneLength, (lane) => this.#forget(lane));
  readonly #failing = new Lru<Failing>(maxLanes, maxLaneLength, (lane) => this.#forget(lane));
  /** Those that have a rate or fail: a claim names only those that it may reach. */
  readonly #limited = new LanesInOrder();
  readonly #others = new Map<string, OthersInFlight>();

  constructor(private readonly effects: KnownEffects) {}

  /** The effects that have room. */
  names(now: Time): readonly EffectRoom[] {
    const ofFailing = this.#roomOfFailing(now) || Infinity;
    return [...this.effects].flatMap(([name, known]) => {
      // A claim may take those of lanes that fail alone.
      const room = Math.min(this.#roomOf(name, known, now), ofFailing);
      return room > 0 ? [{ name, room, each: eachOf(known) }] : [];
    });
  }

  /** How many more may begin of each lane that may not begin as many as one with none in flight; the claim looks at `reach` lanes of a partition. */
  left(
    now: Time,
    names: readonly Pick<NameToClaim, 'name' | 'hand'>[],
    reach: number,
  ): ClaimRequest['lanes'] {
    const left = new Map<string, number>();
    const isFull = this.#roomOfFailing(now) === 0;
    const inReach = names.flatMap(({ name, hand }) => this.#limited.within(name, hand, reach));
    for (const lane of [...inReach, ...this.#lanes.keys()]) {
      const known = this.#effectOf(lane);
      const most = known === undefined ? 0 : this.#leftOf(lane, known, isFull, now);
      if (known === undefined || most < eachOf(known)) left.set(lane, most);
    }
    return left;
  }

  #leftOf(lane: string, { perLane, laneRate }: KnownEffect, isFull: boolean, now: Time): number {
    const failing = this.#failing.get(lane);
    if (failing !== undefined && isFull && hasFailedAll(failing)) return 0;
    if (failing !== undefined && failing.count >= failuresBeforeRest)
      return this.#wantedBy(lane, failing, now);
    const free = Math.max(0, perLane - (this.#lanes.get(lane) ?? 0));
    const bucket = this.#laneRates.get(lane);
    if (laneRate === undefined || bucket === undefined) return free;
    const tokens = tokensAt(bucket, laneRate, now);
    if (tokens >= capacityOf(laneRate)) {
      this.#laneRates.delete(lane);
      this.#forget(lane);
    }
    return Math.min(free, Math.floor(tokens));
  }

  /** How long it takes until time leaves room again; infinite when only the end of a call can. */
  waitMs(now: Time): number {
    let least = Infinity;
    const wait = (ms: number): void => {
      if (ms > 0 && ms < least) least = ms;
    };
    for (const [name, { rate }] of this.effects)
      if (rate !== undefined) wait(waitOf(this.#rates.get(name) ?? empty, rate, now));
    for (const [lane, bucket] of this.#laneRates.entries()) {
      const rate = this.#effectOf(lane)?.laneRate;
      if (rate !== undefined) wait(waitOf(bucket, rate, now));
    }
    for (const { until } of this.#others.values()) wait(until - now);
    for (const [, { restsUntil }] of this.#failing.entries()) wait(restsUntil - now);
    return least;
  }

  begin(name: string, lane: string, now: Time): void {
    this.#running.set(name, this.count(name) + 1);
    this.#lanes.set(lane, (this.#lanes.get(lane) ?? 0) + 1);
    const { rate, laneRate } = this.effects.get(name) ?? {};
    if (rate !== undefined)
      this.#rates.set(name, oneLess(this.#rates.get(name) ?? { tokens: 0, at: now }, rate, now));
    if (laneRate === undefined) return;
    const full = { tokens: capacityOf(laneRate), at: now };
    this.#laneRates.set(lane, oneLess(this.#laneRates.get(lane) ?? full, laneRate, now));
    this.#limit(lane);
  }

  end(name: string, lane: string): void {
    this.#running.set(name, this.count(name) - 1);
    const left = (this.#lanes.get(lane) ?? 0) - 1;
    if (left > 0) this.#lanes.set(lane, left);
    else this.#lanes.delete(lane);
  }

  /** Whether the other system has answered an attempt, or it must be made again. */
  tried(lane: string, hasAnswered: boolean, now: Time): void {
    const count = hasAnswered ? 0 : (this.#failing.get(lane)?.count ?? 0) + 1;
    if (count === 0) {
      this.#failing.delete(lane);
      return this.#forget(lane);
    }
    const { perLane = 0 } = this.#effectOf(lane) ?? {};
    const restsUntil = count < failuresBeforeRest ? now : now + restMs;
    this.#failing.set(lane, { count, restsUntil, perLane });
    this.#limit(lane);
  }

  /** How many of an effect this host has in flight. */
  count(name: string): number {
    return this.#running.get(name) ?? 0;
  }

  /** This host counts for all hosts from now on: what the last one has begun is not known. */
  takeOver(name: string, now: Time, others?: OthersInFlight): void {
    this.#rates.set(name, { tokens: 0, at: now });
    if (others !== undefined) this.#others.set(name, others);
  }

  /** How many more calls the lanes that fail may begin; infinite when they cannot begin more than that. */
  #roomOfFailing(now: Time): number {
    let places = placesOfFailing;
    for (const [lane, count] of this.#lanes) {
      const failing = this.#failing.get(lane);
      if (failing !== undefined && hasFailedAll(failing)) places -= count;
    }
    let wanted = 0;
    for (const [lane, failing] of this.#failing.entries()) {
      if (hasFailedAll(failing)) wanted += this.#wantedBy(lane, failing, now);
      if (wanted > places) return Math.max(0, places);
    }
    return Infinity;
  }

  #wantedBy(lane: string, { count, restsUntil, perLane }: Failing, now: Time): number {
    const running = this.#lanes.get(lane) ?? 0;
    if (count < failuresBeforeRest) return perLane - running;
    return restsUntil > now || running > 0 ? 0 : 1;
  }

  #roomOf(name: string, { concurrency = perHost, rate }: KnownEffect, now: Time): number {
    const others = this.#others.get(name);
    if (others !== undefined && others.until <= now) this.#others.delete(name);
    const elsewhere = others !== undefined && others.until > now ? others.count : 0;
    const tokens =
      rate === undefined ? Infinity : tokensAt(this.#rates.get(name) ?? this.#start(name, now), rate, now);
    return Math.min(concurrency - this.count(name) - elsewhere, Math.floor(tokens));
  }

  #start(name: string, now: Time): Bucket {
    const bucket = { tokens: 0, at: now };
    this.#rates.set(name, bucket);
    return bucket;
  }

  #limit(lane: string): void {
    const known = this.#effectOf(lane);
    if (known !== undefined) this.#limited.add(lane, lineOf(known, lane));
  }

  #forget(lane: string): void {
    if (this.#laneRates.get(lane) === undefined && this.#failing.get(lane) === undefined)
      this.#limited.delete(lane);
  }

  /** Its name is the second part of a lane. */
  #effectOf(lane: string): KnownEffect | undefined {
    return this.effects.get(lane.split('|', 2)[1] ?? '');
  }
}

const hasFailedAll = ({ count, perLane }: Failing): boolean => count >= Math.min(perLane, failuresBeforeRest);

const empty: Bucket = { tokens: 0, at: 0 };

const eachOf = ({ perLane, laneRate }: KnownEffect): number =>
  laneRate === undefined ? perLane : Math.min(perLane, Math.floor(capacityOf(laneRate)));

const capacityOf = ({ calls }: KnownRate): number => Math.max(1, Math.floor(calls * burst));

const tokensAt = ({ tokens, at }: Bucket, rate: KnownRate, now: Time): number =>
  Math.min(capacityOf(rate), tokens + ((now - at) * rate.calls) / rate.perMs);

const oneLess = (bucket: Bucket, rate: KnownRate, now: Time): Bucket => ({
  tokens: tokensAt(bucket, rate, now) - 1,
  at: now,
});

const waitOf = (bucket: Bucket, rate: KnownRate, now: Time): number =>
  ((1 - tokensAt(bucket, rate, now)) * rate.perMs) / rate.calls;
