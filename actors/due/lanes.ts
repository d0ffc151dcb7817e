import type { ClaimRequest } from '../../contracts/effect-store.js';
import type { KnownEffect, KnownEffects, KnownRate } from '../../runtime/effects/known-effect.js';
import { Lru } from '../../runtime/lang/lru.js';

/** Milliseconds of a clock that never goes back. */
type Time = number;

interface Bucket {
  readonly tokens: number;
  readonly at: Time;
}

/** How many more of an effect may begin, and of one lane that has none in flight. */
type EffectRoom = Omit<ClaimRequest['names'][number], 'hand'>;

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
  readonly #laneRates = new Lru<Bucket>(maxLanes, maxLaneLength);
  readonly #failing = new Lru<Failing>(maxLanes, maxLaneLength);
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

  /** How many more may begin of each lane that may not begin as many as one with none in flight. */
  left(now: Time): ClaimRequest['lanes'] {
    const left = new Map<string, number>();
    for (const [lane, bucket] of this.#laneRates.entries()) {
      const { laneRate: rate, perLane = 0 } = this.#effectOf(lane) ?? {};
      const tokens = rate === undefined ? Infinity : tokensAt(bucket, rate, now);
      // A lane that may begin as many as any other need not be named.
      if (rate === undefined || tokens >= capacityOf(rate)) this.#laneRates.delete(lane);
      else left.set(lane, Math.max(0, Math.min(perLane, Math.floor(tokens))));
    }
    for (const [lane, count] of this.#lanes) {
      const known = this.#effectOf(lane);
      const free = Math.max(0, (known?.perLane ?? 0) - count);
      left.set(lane, Math.min(free, left.get(lane) ?? (known === undefined ? 0 : eachOf(known))));
    }
    const isFull = this.#roomOfFailing(now) === 0;
    for (const [lane, failing] of this.#failing.entries())
      if (isFull && hasFailedAll(failing)) left.set(lane, 0);
      else if (failing.count >= failuresBeforeRest) left.set(lane, this.#wantedBy(lane, failing, now));
    return left;
  }

  /** How long it takes until time leaves room again; infinite when only the end of a call can. */
  waitMs(now: Time): number {
    const rates = [...this.effects].flatMap(([name, { rate }]) =>
      rate === undefined ? [] : [[name, rate] as const],
    );
    const waits = rates.map(([name, rate]) => waitOf(this.#rates.get(name) ?? empty, rate, now));
    for (const [lane, bucket] of this.#laneRates.entries()) {
      const rate = this.#effectOf(lane)?.laneRate;
      if (rate !== undefined) waits.push(waitOf(bucket, rate, now));
    }
    for (const { until } of this.#others.values()) waits.push(until - now);
    for (const [, { restsUntil }] of this.#failing.entries()) waits.push(restsUntil - now);
    return Math.min(Infinity, ...waits.filter((ms) => ms > 0));
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
    if (count === 0) return this.#failing.delete(lane);
    const { perLane = 0 } = this.#effectOf(lane) ?? {};
    const restsUntil = count < failuresBeforeRest ? now : now + restMs;
    this.#failing.set(lane, { count, restsUntil, perLane });
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
    let wanted = 0;
    for (const [lane, failing] of this.#failing.entries()) {
      if (!hasFailedAll(failing)) continue;
      places -= this.#lanes.get(lane) ?? 0;
      wanted += this.#wantedBy(lane, failing, now);
    }
    return wanted <= places ? Infinity : Math.max(0, places);
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
