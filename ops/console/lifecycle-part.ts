import type { LifecycleFigures, LifecyclePart, RequestSummary } from '../../endpoints/console/source.js';
import type { Inspection } from '../../endpoints/inspection/inspection.js';
import type { RequestSummary as Remembered } from '../../endpoints/inspection/passage.js';
import { type LifecycleAggregate, together } from '../../endpoints/lifecycle/aggregates.js';
import { type Durations, quantileMs } from '../../endpoints/lifecycle/durations.js';
import { states as allStates } from '../../endpoints/lifecycle/edges.js';
import { isOutcome, lifecycleMachine } from '../../endpoints/lifecycle/machine.js';
import type { Database } from '../../runtime/database/database.js';
import { recordsOf } from './request-records.js';
import { recordedStepsOf } from './sequence.js';

export function lifecyclePart(inspection: Inspection, database: Database): LifecyclePart {
  return {
    machine: lifecycleMachine.definition,
    figures: () => figuresOf(together('', inspection.aggregates())),
    requests: (text, limit) => {
      const outcome = outcomes.find((name) => name === text.trim().toLowerCase());
      return inspection.requests(outcome === undefined ? { text, limit } : { outcome, limit }).map(summaryOf);
    },
    request: async (id) => {
      const found = inspection.request(id);
      if (found === undefined) return undefined;
      const { events, records } = await recordsOf(database, found.correlationId, found);
      const summary = summaryOf(found);
      const recorded = inspection.trace(id)?.steps;
      const steps = recorded === undefined ? [] : recordedStepsOf(recorded, summary);
      return { ...summary, traceId: found.traceId, steps, events, records };
    },
    // The frames go to those who attach as inspectors: here it is enough that they are recorded.
    watch: () => inspection.feed.attach(() => undefined),
  };
}

const outcomes = allStates.filter(isOutcome);

export function figuresOf({ started, states, edges }: LifecycleAggregate): LifecycleFigures {
  const entered = (name: string): number => states.find(({ state }) => state === name)?.entered ?? 0;
  return {
    requests: started,
    failed: entered('failed'),
    states: states.map(({ state, entered: count, inFlight, durations }) => ({
      state,
      count,
      inFlight,
      ...(isOutcome(state) ? { p50Ms: undefined, p99Ms: undefined } : quantiles(durations)),
    })),
    edges: edges.map(({ from, trigger, to, durations }) => ({
      from,
      event: trigger,
      to,
      count: durations.count,
      ...quantiles(durations),
    })),
  };
}

const quantiles = (durations: Durations) => ({
  p50Ms: quantileMs(durations, 0.5),
  p99Ms: quantileMs(durations, 0.99),
});

function summaryOf(remembered: Remembered): RequestSummary {
  const { id, correlationId, command, transport, outcome, failedIn, error, startedAt, ms, states } =
    remembered;
  return {
    id,
    correlationId,
    command,
    transport,
    outcome,
    failedIn,
    error: error?.code ?? error?.name,
    startedAt,
    ms,
    states,
  };
}
