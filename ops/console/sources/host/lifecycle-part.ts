import type { Inspection } from '../../../../endpoints/inspection/inspection.js';
import type { RequestSummary } from '../../../../endpoints/inspection/request-summary.js';
import { together } from '../../../../endpoints/lifecycle/aggregates.js';
import { states as allStates } from '../../../../endpoints/lifecycle/edges.js';
import { isOutcome, lifecycleMachine } from '../../../../endpoints/lifecycle/machine.js';
import type { Database } from '../../../../runtime/database/database.js';
import { figuresOf } from '../../model/figures.js';
import type { LifecyclePart } from '../../model/lifecycle.js';
import type { RequestLine } from '../../model/requests.js';
import { recordedStepsOf } from '../../model/sequence.js';
import { recordsOf } from './request-records.js';

export function lifecyclePart(inspection: Inspection, database: Database): LifecyclePart {
  return {
    machine: lifecycleMachine.definition,
    figures: () => figuresOf(together('', inspection.aggregates())),
    requests: (text, limit) => {
      const outcome = outcomes.find((name) => name === text.trim().toLowerCase());
      return inspection.requests(outcome === undefined ? { text, limit } : { outcome, limit }).map(lineOf);
    },
    request: async (id) => {
      const found = inspection.request(id);
      if (found === undefined) return undefined;
      const { events, records } = await recordsOf(database, found.correlationId, found);
      const line = lineOf(found);
      const recorded = inspection.trace(id)?.steps;
      const steps = recorded === undefined ? [] : recordedStepsOf(recorded, line);
      return { ...line, traceId: found.traceId, steps, events, records };
    },
    // The frames go to those who attach as inspectors: here it is enough that they are recorded.
    watch: () => inspection.feed.attach(() => undefined),
  };
}

const outcomes = allStates.filter(isOutcome);

function lineOf(summary: RequestSummary): RequestLine {
  const { id, correlationId, command, transport, outcome, failedIn, error, startedAt, ms, states } = summary;
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
