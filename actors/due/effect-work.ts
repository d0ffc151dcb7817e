import { type Actor, createActor } from 'xstate';
import { type ClaimedEffect, suspectAfter } from '../../contracts/effect-store.js';
import type { KnownEffect, KnownEffects } from '../../runtime/effects/known-effect.js';
import { compiledChart } from '../steps/compiled-chart.js';
import { partOf } from '../../runtime/lang/part-of.js';
import { withTimeout } from '../../runtime/lang/with-timeout.js';
import { log } from '../../runtime/logging/log.js';
import { isTraced, startLinkedSpan, type TraceSpan } from '../../runtime/tracing/tracing.js';
import type { MovedActor } from '../steps/moved-actor.js';
import { claimDefaults, Claims } from './claims.js';
import type { DueContext } from './due-context.js';
import { type AttemptPorts, EffectAttempt } from './effect-attempt.js';
import type { EffectFigures } from './effect-figures.js';
import { type AttemptEnd, type EffectEvent, effectMachine } from './effect-machine.js';
import { EffectOutcomes, type OutcomePorts } from './effect-outcome.js';
import { Lanes } from './lanes.js';

export interface EffectPorts extends Omit<OutcomePorts, 'claims'>, Omit<AttemptPorts, 'claims' | 'outcomes'> {
  readonly known: KnownEffects;
  /** The partitions that this host holds now. */
  readonly parts: () => readonly number[];
  /** Whether requests should have the host for themselves. */
  readonly isBusy: () => boolean;
  readonly figuresOf: (name: string) => EffectFigures;
  /** Called with each state of each request that this host calls for. */
  readonly moved?: ((request: MovedActor) => void) | undefined;
  /** There is room again. */
  readonly wake: () => void;
}

/** How many lanes of an effect and a partition a claim looks at. */
const leastReach = 4;
const mostReach = 128;
/** Among lanes that all have something due, a claim finds what it has room for twice. */
const lanesPerPlace = 2;

const chart = compiledChart<string, EffectEvent>(effectMachine);

/** How long a stop waits for calls to end; what does not is tried again by another host. */
const endWithinMs = 3_000;

const continues =
  'a call continues although its signal has aborted, and counts until it ends; hand the signal on to what it waits for';
const continuesAfterMs = 1_000;

/** The effects of one host: it claims what is due in its partitions, and calls. */
export class EffectWork {
  readonly #lanes: Lanes;
  readonly #claims: Claims;
  readonly #attempt: AttemptPorts;
  /** The lane from which the next claim of each effect continues. */
  readonly #hands = new Map<string, string>();
  /** Grows while claims find less than they have room for. */
  #stretch = 1;
  /** When the next request is due of all lanes that the walk has passed. */
  #nextAt = Infinity;
  readonly #running = new Set<Promise<void>>();
  /** How many calls are in flight of those that may kill this host: one, so that it is known which did. */
  #suspects = 0;

  constructor(
    private readonly ports: EffectPorts,
    private readonly settings: Readonly<typeof claimDefaults> = claimDefaults,
  ) {
    this.#lanes = new Lanes(ports.known);
    this.#claims = new Claims(ports.effects, settings);
    const claims = this.#claims;
    this.#attempt = { ...ports, claims, outcomes: new EffectOutcomes({ ...ports, claims }) };
  }

  /** Claims what is due and there is room for; returns when to look again. */
  async look(): Promise<number> {
    const parts = this.ports.parts();
    const names = this.#lanes
      .names(performance.now())
      .map((one) => ({ ...one, hand: this.#hands.get(one.name) ?? '' }));
    if (parts.length === 0 || names.length === 0) return this.#lanes.waitMs(performance.now());
    if (this.ports.isBusy()) return 0;
    const askedAt = performance.now();
    const room = names.reduce((sum, one) => sum + one.room, 0);
    const needed = Math.max(leastReach, Math.ceil((lanesPerPlace * room) / parts.length));
    const reach = Math.min(mostReach, this.#stretch * needed);
    const answer = await this.ports.effects.claim({
      parts,
      names,
      reach,
      lanes: this.#lanes.left(askedAt, names, reach),
      suspect: this.#suspects === 0,
      forMs: this.settings.claimMs,
    });
    this.#stretch = 2 * answer.effects.length >= room ? 1 : Math.min(mostReach, 2 * this.#stretch);
    for (const [name, hand] of answer.hands) this.#hands.set(name, hand);
    for (const one of answer.effects) this.#begin(one, askedAt);
    this.#nextAt = Math.min(this.#nextAt, performance.now() + (answer.nextInMs ?? Infinity));
    if (answer.effects.length > 0 || [...answer.hands.values()].some((hand) => hand !== '')) return 0;
    const nextMs = this.#nextAt - performance.now();
    this.#nextAt = Infinity;
    return Math.min(nextMs, this.#lanes.waitMs(askedAt));
  }

  /** This host counts for these partitions from now on. */
  async taken(parts: readonly number[]): Promise<void> {
    const names = [...this.ports.known.keys()];
    const limited = [...this.ports.known.values()].filter(
      ({ effect, concurrency, rate }) =>
        (concurrency ?? rate) !== undefined && parts.includes(partOf(effect.name)),
    );
    const now = performance.now();
    // Until it is known what others have in flight, there is no room.
    for (const { effect } of limited)
      this.#lanes.takeOver(effect.name, now, { count: Infinity, until: now + this.settings.claimMs });
    await this.ports.effects.release(parts, names);
    if (limited.length === 0) return;
    const others = await this.ports.effects.othersInFlight(
      parts,
      limited.map(({ effect }) => effect.name),
    );
    for (const { effect } of limited) {
      const { count = 0, endsInMs = 0 } = others.find(({ name }) => name === effect.name) ?? {};
      this.#lanes.takeOver(effect.name, now, {
        count,
        until: now + Math.min(endsInMs, this.settings.claimMs),
      });
    }
  }

  /** Resolves when no call of this host is in flight. */
  async ended(): Promise<void> {
    await Promise.all(this.#running);
  }

  async stop(): Promise<void> {
    this.#claims.endAll('stopped');
    await withTimeout(endWithinMs, this.ended()).catch(() => undefined);
  }

  #begin(claimed: ClaimedEffect, askedAt: number): void {
    const known = this.ports.known.get(claimed.name);
    if (known === undefined) return;
    const isSuspect = claimed.claims - claimed.attempts > suspectAfter;
    if (isSuspect) this.#suspects++;
    const running = this.#run(claimed, known, askedAt).finally(() => {
      this.#running.delete(running);
      if (isSuspect) this.#suspects--;
    });
    this.#running.add(running);
  }

  async #run(claimed: ClaimedEffect, known: KnownEffect, askedAt: number): Promise<void> {
    const { name, lane } = claimed;
    const figures = this.ports.figuresOf(name);
    const from = performance.now();
    this.#lanes.begin(name, lane, from);
    figures.running++;
    const attempt = new EffectAttempt(claimed, known, askedAt, this.#attempt);
    const span = attemptSpan(claimed);
    let isCalling = true;
    const free = (): void => {
      if (isCalling) {
        figures.running--;
        this.#lanes.end(name, lane);
        this.ports.wake();
      }
      isCalling = false;
    };
    const run = (): Promise<AttemptEnd> => attempt.run(free);
    const actor = createActor(chart).start();
    this.#move(actor, claimed, 'claimed');
    const end = await (span === undefined ? run() : span.within(run)).catch((err: unknown): AttemptEnd => {
      log.error(
        { err, effect: name },
        'an effect could not be ended; it is tried again when its claim is over',
      );
      return 'gone';
    });
    this.#move(actor, claimed, end);
    span?.attempted(end, hasFailed(end));
    const isAgain = end === 'retrying' || end === 'later';
    if (isAgain || end === 'done' || end === 'failed') this.#lanes.tried(lane, !isAgain, performance.now());
    figures.ended(end, performance.now() - from);
    if (!isCalling) return;
    const warn = (): void => log.warn({ effect: name, request: claimed.id }, continues);
    const slow = setTimeout(warn, continuesAfterMs).unref();
    void attempt.answered.then(() => {
      clearTimeout(slow);
      free();
    });
  }

  #move(actor: Actor<typeof chart>, { name, id: key }: ClaimedEffect, type: EffectEvent['type']): void {
    actor.send({ type });
    const { value: to, status } = actor.getSnapshot();
    const steps = [{ event: type, to }];
    this.ports.moved?.({ name, key, machine: effectMachine, steps, hasEnded: status === 'done' });
  }
}

const attemptSpan = ({ id, name, claims, context }: ClaimedEffect): TraceSpan | undefined => {
  if (!isTraced()) return undefined;
  const { correlationId, traceparent } = context as DueContext;
  return startLinkedSpan(
    `call ${name}`,
    'client',
    { traceparent },
    {
      'svc.effect': name,
      'svc.request_id': id,
      'svc.attempt': claims,
      ...(correlationId !== undefined && { 'svc.correlation_id': correlationId }),
    },
  );
};

const hasFailed = (end: AttemptEnd): boolean => end === 'failed' || end === 'retrying' || end === 'parked';
