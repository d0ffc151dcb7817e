import type { Inspection } from '../../../../endpoints/inspection/inspection.js';
import type { RequestRecord } from '../../../../endpoints/inspection/request-recorder.js';
import { mergeAggregates } from '../../../../endpoints/lifecycle/lifecycle-counts.js';
import { lifecycleMachine } from '../../../../endpoints/lifecycle/lifecycle-machine.js';
import type { Database } from '../../../../runtime/database/database.js';
import { lifecycleFigures } from '../../model/lifecycle-figures.js';
import type { LifecycleFigures, LifecyclePart } from '../../model/lifecycle.js';
import type { MaybePromise } from '../../model/maybe-promise.js';
import type { RequestItem } from '../../model/requests.js';
import type { CountsHistory } from './counts-history.js';
import { rebuiltRequest } from './rebuilt-request.js';
import { requestsOfStream, streamSearch } from './requests-of-stream.js';
import { storedByRequest } from './stored-by-request.js';

export function lifecyclePart(
  inspection: Inspection,
  database: Database,
  history: Pick<CountsHistory, 'list'>,
): LifecyclePart {
  return {
    machine: lifecycleMachine.definition,
    figures: () => figuresOf(inspection),
    history: () => history.list(),
    requests: (text, limit) => foundRequests(inspection, database, text, limit),
    inFlight: () => inspection.inFlight(slowMs, maxInFlight).map(lineOf),
    request: async (id) => {
      const found = inspection.request(id);
      if (found === undefined) return rebuiltRequest(database, id);
      const { events, records } = await storedByRequest(database, found.correlationId, found);
      const line = lineOf(found);
      const steps = inspection.feed.trace(id)?.steps ?? [];
      return {
        ...line,
        traceId: found.traceId,
        failure: found.error,
        body: found.body,
        steps,
        events,
        records,
      };
    },
    // Inspectors receive the frames: here it is enough that they are recorded.
    watch: () => inspection.feed.attach(() => undefined),
  };
}

export const figuresOf = (inspection: Inspection): LifecycleFigures =>
  lifecycleFigures(mergeAggregates('', inspection.aggregates()), inspection.counts);

/** An id that no request has may be that of a stream; what is remembered needs no store. */
function foundRequests(
  inspection: Inspection,
  database: Database,
  text: string,
  limit: number,
): MaybePromise<readonly RequestItem[]> {
  const found = inspection.requests({ text, limit }).map(lineOf);
  const wanted = streamSearch(text);
  if (wanted === undefined || found.length > 0) return found;
  return requestsOfStream(database, inspection, wanted, limit).then((all) => all.map(lineOf));
}

/** Requests in flight are listed when they have been running this long: most end before they can be read. */
const slowMs = 1_000;
const maxInFlight = 50;

function lineOf(summary: RequestRecord): RequestItem {
  const { id, correlationId, command, transport, outcome, status, failedIn, error } = summary;
  const { startedAt, ms, states } = summary;
  return {
    id,
    correlationId,
    command,
    transport,
    outcome,
    status,
    failedIn,
    error: error?.code ?? error?.name,
    startedAt,
    ms,
    states,
  };
}
