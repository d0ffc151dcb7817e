import { setTimeout as delay } from 'node:timers/promises';
import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { Command } from '../../contracts/message.js';
import { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { Cancellation } from '../../runtime/lang/cancellation.js';
import type { FailingState, LifecycleEnd, Visit } from '../../runtime/request/observer.js';
import { RequestContext } from '../../runtime/request/request-context.js';
import { edges, isOutcome, type LifecycleOutcome, workingStates } from '../lifecycle/lifecycle-machine.js';
import type { RequestOutcome } from './request-recorder.js';
import { lifecycleOf, MutationEndpointBase } from '../mutation-endpoint.js';
import { Inspection } from './inspection.js';

const test = suite('inspection');

type Failing = 'before' | 'dispatch' | 'after' | 'error' | 'nowhere';

class Bake extends Command {
  failing!: Failing;
}

class BakeEndpoint extends MutationEndpointBase<Bake, string> {
  protected override onBeforeExecute({ failing }: Bake): void {
    if (failing === 'before') throw new Problem('burnt', { detail: 'sesame' });
  }
  protected override async dispatchCommand({ failing }: Bake): Promise<string> {
    if (failing === 'dispatch' || failing === 'error') throw new TypeError('sesame');
    return 'bread';
  }
  protected override onAfterExecute({ failing }: Bake): void {
    if (failing === 'after') throw new RangeError('sesame');
  }
  protected override onError({ failing }: Bake): string | null {
    if (failing === 'error') throw new SyntaxError('sesame');
    return null;
  }
}

function bakery(requests?: number) {
  const inspection = new Inspection({
    host: 'oven-1',
    commands: ['Bake'],
    ...(requests === undefined ? {} : { requests }),
  });
  const endpoint = new BakeEndpoint();
  lifecycleOf(endpoint).bind({ observer: inspection });
  const bake = async (failing: Failing, correlationId?: string): Promise<void> => {
    const context = new RequestContext({
      transport: 'rest',
      cancellation: new Cancellation(),
      correlationId,
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    });
    await lifecycleOf(endpoint).run('command', Bake.of({ failing }), context);
  };
  return { inspection, endpoint, bake };
}

test('requests in flight are listed oldest first, in whatever order the others end', async () => {
  const inspection = new Inspection({ host: 'oven-1' });
  const begin = async (correlationId: string): Promise<Visit | undefined> => {
    await delay(2);
    const context = new RequestContext({
      transport: 'rest',
      cancellation: new Cancellation(),
      correlationId,
    });
    return inspection.entered('lifecycle', { type: Bake.name, command: undefined, context });
  };
  const running = (limit = 9) => inspection.inFlight(0, limit).map(({ correlationId }) => correlationId);
  const visits = [await begin('a'), await begin('b'), await begin('c'), await begin('d')];
  await delay(2);
  assert.equal(running(), ['a', 'b', 'c', 'd']);
  assert.equal(running(2), ['a', 'b']);
  for (const [index, left] of [
    [1, ['a', 'c', 'd']],
    [3, ['a', 'c']],
    [0, ['c']],
    [2, []],
  ] as const) {
    visits[index]?.left?.({ outcome: 'completed', result: 'bread' });
    assert.equal(running(), left);
  }
  await begin('e');
  assert.equal(inspection.inFlight(3_600_000, 9), []);
});

test('an ended request is listed with its states, its times and its ids', async () => {
  const { inspection, bake } = bakery();
  await bake('nowhere', 'table-7');
  const [summary] = inspection.requests();
  assert.equal(
    summary?.states.map(([state]) => state),
    ['checking', 'before', 'dispatching', 'after'],
  );
  assert.is(summary?.outcome, 'completed');
  assert.is(summary?.command, 'Bake');
  assert.is(summary?.correlationId, 'table-7');
  assert.is(summary?.traceId, '0af7651916cd43dd8448eb211c80319c');
  assert.is(summary?.error, undefined);
  assert.ok(Math.abs(Date.parse(summary?.startedAt ?? '') - Date.now()) < 60_000);
  assert.is(inspection.request(summary?.id ?? '')?.correlationId, 'table-7');
});

for (const [failing, state, name] of [
  ['before', 'before', 'Problem'],
  ['dispatch', 'dispatching', 'TypeError'],
  ['after', 'after', 'RangeError'],
  ['error', 'recovering', 'SyntaxError'],
] as const) {
  test(`a request that fails in ${state} is listed as failed there, without its error message`, async () => {
    const { inspection, bake } = bakery();
    await bake(failing);
    const [summary] = inspection.requests();
    assert.is(summary?.outcome, 'failed');
    assert.is(summary?.failedIn, state);
    assert.is(summary?.error?.name, name);
    assert.not.match(JSON.stringify(summary), 'sesame');
  });
}

test('requests are found by part of an id, command or error, and by outcome', async () => {
  const { inspection, bake } = bakery();
  await bake('nowhere', 'table-7');
  await bake('before', 'table-8');
  const found = (search: object) => inspection.requests(search).map(({ correlationId }) => correlationId);
  assert.equal(found({}), ['table-8', 'table-7']);
  assert.equal(found({ text: 'TABLE-7' }), ['table-7']);
  assert.equal(found({ text: 'burnt' }), ['table-8']);
  assert.equal(found({ text: 'bake' }), ['table-8', 'table-7']);
  assert.equal(found({ outcome: 'completed' }), ['table-7']);
  assert.equal(found({ limit: 1 }), ['table-8']);
  assert.equal(found({ text: 'sesame' }), []);
});

test('a body is kept only where it is asked for, as it may be shown', () => {
  const bodyOf = (type: string, command: object) => ({ type, ...command, pin: '[redacted]' });
  const recorded = [undefined, bodyOf].map((shown) => {
    const inspection = new Inspection({ host: 'oven-1', ...(shown && { bodyOf: shown }) });
    const context = new RequestContext({ transport: 'rest', cancellation: new Cancellation() });
    const command = Object.assign(Bake.of({ failing: 'nowhere' }), { pin: '1234' });
    inspection.entered('lifecycle', { type: 'Bake', command, context });
    return inspection.request(context.messageId)?.body;
  });
  assert.is(recorded[0], undefined);
  assert.match(recorded[1] ?? '', /"type": "Bake"[^]*"failing": "nowhere"[^]*"pin": "\[redacted\]"/);
});

test('the list is bounded, and failures outlive successes', async () => {
  const { inspection, bake } = bakery(4);
  await bake('before', 'early');
  for (let n = 0; n < 20; n++) await bake('nowhere');
  assert.is(inspection.requests().length, 5);
  assert.is(inspection.requests({ text: 'early' }).length, 1);
});

test('a command is aggregated from the start, and a call without a transport counts too', async () => {
  const { inspection, endpoint, bake } = bakery();
  assert.equal(
    inspection.aggregates().map(({ command, started }) => [command, started]),
    [['Bake', 0]],
  );
  await bake('nowhere');
  await endpoint.execute(Bake.of({ failing: 'nowhere' }));
  const [aggregate] = inspection.aggregates();
  assert.is(aggregate?.states.find(({ state }) => state === 'completed')?.entered, 2);
  assert.equal(
    inspection.requests().map(({ transport }) => transport),
    ['local', 'rest'],
  );
});

/** A host whose requests take the given paths, with the record that each must leave. */
class Played {
  readonly inspection: Inspection;
  readonly running: Playing[] = [];
  readonly ended: Remembered[] = [];
  begun = 0;
  #detach: (() => void) | undefined;

  constructor(private readonly remembered: number) {
    this.inspection = new Inspection({ host: 'oven-1', requests: remembered, tracesPerSecond: 5 });
  }

  begin(): void {
    const [command, correlationId] = [`Bake${this.begun % 3}`, `table-${this.begun++}`];
    const cancellation = new Cancellation();
    const context = new RequestContext({ transport: 'rest', cancellation, correlationId });
    const visit = this.inspection.entered('lifecycle', { type: command, command: undefined, context });
    this.running.push({ command, correlationId, visit, state: 'checking', passed: ['checking'] });
  }

  move(which: number, way: number): void {
    const one = this.running[which % this.running.length];
    const ways = edges.filter(({ from }) => from === one?.state);
    const edge = ways[way % ways.length];
    if (one === undefined || edge === undefined) return;
    one.visit?.moved?.(edge.trigger, edge.to);
    if (isOutcome(edge.to)) return this.#end(one, edge.to);
    one.state = edge.to;
    one.passed.push(one.state);
  }

  attachOrLeave(): void {
    const detach = this.#detach;
    this.#detach = detach === undefined ? this.inspection.feed.attach(() => undefined) : undefined;
    detach?.();
  }

  /** The latest completed requests, and the latest others, by their ids. */
  expected(): readonly Remembered[] {
    const latest = (completed: boolean) =>
      this.ended.filter(({ outcome }) => (outcome === 'completed') === completed).slice(-this.remembered);
    return [...latest(true), ...latest(false)].sort(byCorrelation);
  }

  #end(one: Playing, outcome: LifecycleOutcome): void {
    const { command, correlationId, state, passed } = one;
    this.running.splice(this.running.indexOf(one), 1);
    const name = `Fault-${correlationId}`;
    const error = Object.assign(new Error('sesame'), { name });
    one.visit?.left?.(endOf(outcome, state, error));
    const failedIn = outcome === 'recovered' ? 'dispatching' : state;
    const failure = outcome === 'completed' ? [] : [failedIn, name];
    const states = workingStates.filter((working) => passed.includes(working));
    this.ended.push({ command, correlationId, outcome, failure, states });
  }
}

interface Remembered {
  readonly command: string;
  readonly correlationId: string;
  readonly outcome: RequestOutcome;
  readonly failure: readonly string[];
  readonly states: readonly string[];
}

interface Playing extends Pick<Remembered, 'command' | 'correlationId'> {
  readonly visit: Visit | undefined;
  readonly passed: FailingState[];
  state: FailingState;
}

function endOf(outcome: LifecycleOutcome, state: FailingState, error: Error): LifecycleEnd<string> {
  if (outcome === 'completed') return { outcome, result: 'bread' };
  if (outcome === 'recovered') return { outcome, result: 'toast', from: error };
  return { outcome, error, in: state };
}

const byCorrelation = (one: { correlationId: string }, other: { correlationId: string }): number =>
  one.correlationId.localeCompare(other.correlationId);

const listed = (inspection: Inspection): readonly Remembered[] =>
  inspection
    .requests({ limit: Number.POSITIVE_INFINITY })
    .map(({ command, correlationId, outcome, failedIn, error, states }) => ({
      ...{ command, correlationId, outcome },
      failure: [failedIn, error?.name].filter((text) => text !== undefined),
      states: states.map(([state]) => state),
    }))
    .sort(byCorrelation);

test('however requests overlap, each has its own record, and records never change', () => {
  const step = fc.oneof(
    { weight: 4, arbitrary: fc.constant('begin' as const) },
    { weight: 16, arbitrary: fc.tuple(fc.nat(50), fc.nat(5)) },
    { weight: 1, arbitrary: fc.constant('attach or leave' as const) },
  );
  const play = fc.property(
    fc.integer({ min: 1, max: 4 }),
    fc.array(step, { maxLength: 200, size: 'max' }),
    (size, steps) => {
      const played = new Played(size);
      const snapshots: [now: unknown, then: string][] = [];
      for (const one of steps) {
        if (one === 'begin') played.begin();
        else if (one === 'attach or leave') played.attachOrLeave();
        else played.move(...one);
        assert.equal(listed(played.inspection), played.expected());
        const summaries = played.inspection.requests();
        snapshots.push([summaries, JSON.stringify(summaries)]);
      }
      for (const [now, then] of snapshots) assert.is(JSON.stringify(now), then);
      const counted = played.inspection.aggregates();
      const inFlight = counted.flatMap(({ states }) => states.map((state) => state.inFlight));
      assert.is(
        counted.reduce((sum, { started }) => sum + started, 0),
        played.begun,
      );
      assert.is(
        inFlight.reduce((sum, count) => sum + count, 0),
        played.running.length,
      );
    },
  );
  fc.assert(play, { numRuns: 60 });
});

test('many requests at once leave no more recorders than are remembered', () => {
  const inspection = new Inspection({ host: 'oven-1', requests: 4 });
  const context = new RequestContext({ transport: 'rest', cancellation: new Cancellation() });
  const enter = () => inspection.entered('lifecycle', { type: 'Bake', command: undefined, context });
  const crowd = () => Array.from({ length: 100 }, enter);
  const first = crowd();
  for (const request of first) request?.left?.({ outcome: 'completed', result: 'bread' });
  const again = new Set(crowd());
  assert.is(first.filter((request) => again.has(request)).length, 4);
});
