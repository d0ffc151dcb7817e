import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { Cancellation } from '../../runtime/lang/cancellation.js';
import type { FailingState, LifecycleEnd, Visit } from '../../runtime/request/observer.js';
import { RequestContext } from '../../runtime/request/request-context.js';
import { edges, isOutcome, type LifecycleOutcome, workingStates } from '../lifecycle/lifecycle-machine.js';
import { Inspection } from './inspection.js';
import type { RequestOutcome } from './request-recorder.js';

const test = suite('overlapping requests');

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
      command,
      correlationId,
      outcome,
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
