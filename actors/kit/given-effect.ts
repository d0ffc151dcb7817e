import { deepStrictEqual, fail } from 'node:assert/strict';
import type { AnyEffect, Effect } from '../../contracts/effect.js';
import type { Command, Event, MessageClass } from '../../contracts/message.js';
import { Problem } from '../../contracts/problems.js';
import type { Uuid } from '../../contracts/scalars.js';
import { knownEffect } from '../../runtime/effects/known-effect.js';
import { collect } from '../../runtime/kit/collect.js';
import { thrownMessage } from '../../runtime/lang/thrown.js';
import { effectHostInMemory } from './effect-host-in-memory.js';

export interface GivenEffect<TRequest extends Command, TDone> {
  /** What the call returns or throws in place of the effect's own, one after the other; the last one again and again. */
  answering(...answers: readonly (TDone | Error)[]): GivenEffect<TRequest, TDone>;
  when(request: TRequest): WhenEffect;
}

/**
 * Every expectation runs the request again, until it has ended or is parked; pauses take no time. A call that succeeds is
 * made once more with its id, as after the loss of a host, and must leave the same.
 */
export interface WhenEffect {
  thenCalls(times: number): Promise<void>;
  /** Exactly these events were stored, in this order. */
  thenStores(...streams: readonly (readonly [streamId: Uuid, ...events: Event[]])[]): Promise<void>;
  /** It waits for an operator, with this problem. */
  thenParks(code: string): Promise<void>;
}

/** Tests an effect without a server: `given(effect).answering(new TryLater('PT1S'), sent).when(request).thenCalls(2)`. */
export function givenEffect<TRequest extends Command, TDone extends Event | void>(
  effect: Effect<TRequest, TDone>,
): GivenEffect<TRequest, TDone> {
  return answeringAll(effect as unknown as AnyEffect, undefined);
}

const answeringAll = <TRequest extends Command, TDone>(
  effect: AnyEffect,
  answers: readonly unknown[] | undefined,
): GivenEffect<TRequest, TDone> => ({
  answering: (...next) => answeringAll(effect, next),
  when: (request) => ({
    thenCalls: async (times) => deepStrictEqual((await outcomeOf(effect, answers, request)).calls, times),
    thenStores: async (...streams) => {
      const { events, parked } = await outcomeOf(effect, answers, request);
      if (parked !== undefined) fail(`The request is parked: ${parked}`);
      deepStrictEqual(
        events,
        streams.flatMap(([id, ...list]) => list.map((event) => described(id, event))),
      );
    },
    thenParks: async (code) => {
      const { parked } = await outcomeOf(effect, answers, request);
      deepStrictEqual(parked?.split(':')[0], code);
    },
  }),
});

const described = (streamId: Uuid, event: object, type = event.constructor.name) => ({
  streamId,
  type,
  payload: JSON.parse(JSON.stringify(event)) as unknown,
});

const maxTries = 10_000;

async function outcomeOf(effect: AnyEffect, answers: readonly unknown[] | undefined, request: Command) {
  const scripted = scriptedEffect(effect, answers);
  const command = request.constructor as MessageClass<Command>;
  // Nothing else runs, and a rate would make the test wait.
  const unlimited = { rate: undefined, laneRate: undefined, concurrency: undefined };
  const known = { ...knownEffect({ command, effect: scripted.effect }), ...unlimited };
  const { clock, dispatcher, store, work } = effectHostInMemory(known);
  await dispatcher.localInvoke(request);
  for (let tries = 0; tries < maxTries; tries++) {
    const [waiting] = store.effects.requests;
    if (waiting === undefined || waiting.parked) break;
    clock.advance(Math.max(0, Math.ceil(waiting.dueInMs)));
    await work.look();
    await work.ended();
  }
  const unlike = scripted.unlike();
  if (unlike !== undefined)
    throw new Problem('invalid-setup', {
      detail: `${effect.name} was called again with the same id, and left ${unlike}: hand the id on, and make no ids or times.`,
    });
  const stored = await collect(store.readAll({ after: 0 }));
  return {
    calls: scripted.calls(),
    parked: store.effects.requests.find(({ parked }) => parked)?.error ?? undefined,
    events: stored.map(({ streamId, payload, messageType }) =>
      described(streamId, payload as object, messageType),
    ),
  };
}

/** Counts calls that are not repeated; with answers, it gives those. */
function scriptedEffect(effect: AnyEffect, answers: readonly unknown[] | undefined) {
  let calls = 0;
  let unlike: string | undefined;
  const call: AnyEffect['call'] = async (request, how) => {
    const nth = calls++;
    if (answers === undefined) {
      const left = await effect.call(request, how);
      unlike ??= await difference(left, async () =>
        effect.call(request, { ...how, attempt: how.attempt + 1 }),
      );
      return left;
    }
    const answer = answers[Math.min(nth, answers.length - 1)];
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const scripted = Object.create(effect, { call: { value: call } }) as AnyEffect;
  return { effect: scripted, calls: () => calls, unlike: () => unlike };
}

/** What another call leaves that is not the same; undefined: nothing. */
async function difference(left: unknown, again: () => Promise<unknown>): Promise<string | undefined> {
  try {
    const [one, other] = [left, await again()].map((each) => JSON.stringify(each) ?? 'nothing');
    return one === other ? undefined : `${other} after ${one}`;
  } catch (error) {
    return `an error after ${JSON.stringify(left) ?? 'nothing'}: ${thrownMessage(error)}`;
  }
}
