import type { Inspection } from '../../../../endpoints/inspection/inspection.js';
import type { RequestRecord } from '../../../../endpoints/inspection/request-record.js';
import { mergeAggregates } from '../../../../endpoints/lifecycle/lifecycle-counts.js';
import { states as allStates } from '../../../../endpoints/lifecycle/edges.js';
import { isOutcome, lifecycleMachine } from '../../../../endpoints/lifecycle/lifecycle-machine.js';
import type { Database } from '../../../../runtime/database/database.js';
import { lifecycleFigures } from '../../model/lifecycle-figures.js';
import type { LifecyclePart } from '../../model/lifecycle.js';
import type { RequestItem } from '../../model/requests.js';
import { recordedStepsOf } from '../../model/sequence-diagram.js';
import { storedByRequest } from './stored-by-request.js';

export function lifecyclePart(inspection: Inspection, database: Database): LifecyclePart {
  return {
    machine: lifecycleMachine.definition,
    figures: () => lifecycleFigures(mergeAggregates('', inspection.aggregates())),
    requests: (text, limit) => {
      const outcome = outcomes.find((name) => name === text.trim().toLowerCase());
      return inspection.requests(outcome === undefined ? { text, limit } : { outcome, limit }).map(lineOf);
    },
    request: async (id) => {
      const found = inspection.request(id);
      if (found === undefined) return undefined;
      const { events, records } = await storedByRequest(database, found.correlationId, found);
      const line = lineOf(found);
      const recorded = inspection.trace(id)?.steps;
      const steps = recorded === undefined ? [] : recordedStepsOf(recorded, line);
      return { ...line, traceId: found.traceId, steps, events, records };
    },
    // Inspectors receive the frames: here it is enough that they are recorded.
    watch: () => inspection.feed.attach(() => undefined),
  };
}

const outcomes = allStates.filter(isOutcome);

function lineOf(summary: RequestRecord): RequestItem {
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
