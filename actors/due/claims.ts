import { setTimeout as pause } from 'node:timers/promises';
import type { ClaimedEffect, EffectStore } from '../../contracts/effect-store.js';
import type { Json, Timestamp, Uuid } from '../../contracts/scalars.js';
import { log } from '../../runtime/logging/log.js';

/** Why a call is ended from outside. */
export type Ended = 'gone' | 'stopped';

/** A claim of this host, and the call that it is for. */
export interface Claim {
  readonly id: Uuid;
  /** Undefined: the last answer was lost. */
  dueAt: Timestamp | undefined;
  /** Until then no other host can have it, by this host's clock: who is gone by then was cancelled or replaced. */
  endsAt: number;
  /** A statement names its due time: no beat may move it meanwhile. */
  isEnding: boolean;
  /** The newest progress, and the beat that will store it. */
  progress?: Json;
  keeping?: Promise<void> | undefined;
  readonly end: (why: Ended) => void;
}

export const claimDefaults = {
  /** Another host takes over within this time. */
  claimMs: 12_000,
  /** How often claims are prolonged. */
  beatMs: 4_000,
};

/** Prolongs the claims of one host, all at once. */
export class Claims {
  readonly #held = new Map<Uuid, Claim>();
  #timer: NodeJS.Timeout | undefined;
  #beating: Promise<void> = Promise.resolve();

  constructor(
    private readonly store: Pick<EffectStore, 'beat'>,
    private readonly settings: Readonly<typeof claimDefaults> = claimDefaults,
  ) {}

  get size(): number {
    return this.#held.size;
  }

  /** A host that was frozen may claim again what it still runs: the earlier call is overtaken. */
  add({ id, dueAt }: ClaimedEffect, askedAt: number, end: Claim['end']): Claim {
    const earlier = this.#held.get(id);
    const claim: Claim = { id, dueAt, endsAt: askedAt + this.settings.claimMs, isEnding: false, end };
    this.#held.set(id, claim);
    if (earlier !== undefined) {
      earlier.endsAt = 0;
      earlier.end('gone');
    }
    this.#timer ??= setInterval(() => {
      void this.#queue(() => this.#beat([...this.#held.values()].filter((one) => !one.isEnding)));
    }, this.settings.beatMs);
    return claim;
  }

  remove(claim: Claim): void {
    if (this.#held.get(claim.id) === claim) this.#held.delete(claim.id);
    if (this.#held.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  endAll(why: Ended): void {
    for (const claim of this.#held.values()) claim.end(why);
  }

  /**
   * The due time that its commit has to name, once no beat is on its way; none follows until `continues`. Undefined: it
   * is not this host's any more.
   */
  async settled(claim: Claim, signal: Pick<AbortSignal, 'aborted'>): Promise<Timestamp | undefined> {
    claim.isEnding = true;
    await this.#beating;
    while (claim.dueAt === undefined && !signal.aborted) {
      await this.#queue(() => this.#beat([claim]));
      if (claim.dueAt === undefined && !signal.aborted) await pause(retryMs);
    }
    return this.#held.get(claim.id) === claim ? claim.dueAt : undefined;
  }

  /** What ended is going to be tried again: the claim is needed until then. */
  continues(claim: Claim): void {
    claim.isEnding = false;
  }

  /**
   * Once it is stored; false: it is not this host's any more. Of many in a row the newest is stored: they must not delay
   * the beats.
   */
  async keep(claim: Claim, progress: Json): Promise<boolean> {
    claim.progress = progress;
    for (;;) {
      claim.keeping ??= this.#queue(async () => {
        claim.keeping = undefined;
        if (!claim.isEnding) await this.#beat([claim], claim.progress);
      });
      await claim.keeping;
      if (this.#held.get(claim.id) !== claim) return false;
      if (claim.dueAt !== undefined || claim.isEnding) return true;
      await pause(retryMs);
    }
  }

  /** One after the other: a due time may not change while it is asked with. */
  #queue(beat: () => Promise<void>): Promise<void> {
    const next = this.#beating.then(beat);
    this.#beating = next;
    return next;
  }

  async #beat(claims: readonly Claim[], progress?: Json): Promise<void> {
    const asked = claims.filter((claim) => this.#held.get(claim.id) === claim);
    if (asked.length === 0) return;
    const askedAt = performance.now();
    try {
      const kept = await this.store.beat(asked, this.settings.claimMs, progress);
      for (const claim of asked) this.#answered(claim, kept.get(claim.id), askedAt);
    } catch (err) {
      for (const claim of asked) claim.dueAt = undefined;
      log.warn({ err }, 'claims of effects could not be prolonged; another host may take them over');
    }
  }

  #answered(claim: Claim, dueAt: Timestamp | undefined, askedAt: number): void {
    if (dueAt === undefined) {
      this.remove(claim);
      claim.end('gone');
      return;
    }
    if (claim.dueAt !== dueAt) claim.endsAt = askedAt + this.settings.claimMs;
    claim.dueAt = dueAt;
  }
}

const retryMs = 250;
