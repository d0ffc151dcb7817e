import type { TransportName } from '../../contracts/mutation-context.js';
import type { AnsweredRequest } from '../http/answered-request.js';
import { recordError } from './recorded-error.js';
import type { RequestRecord } from './request-recorder.js';
import { RingBuffer } from './ring-buffer.js';
import { TokenBucket } from './token-bucket.js';

/** A request that was answered without a lifecycle: refused before it, or with the stored answer of an earlier one. */
export interface UnstartedRequest extends Pick<AnsweredRequest, 'correlation' | 'status' | 'problem'> {
  /** The command; for others, method and route. */
  readonly command: string;
  readonly transport: TransportName;
}

/** A request, and the time to order it by. */
export interface Recorded {
  readonly startedMs: number;
  record(): RequestRecord;
}

export interface UnstartedCounts {
  readonly rejected: number;
  readonly replayed: number;
  /** Failed with an error of the service, such as a read without a database. */
  readonly crashed: number;
}

/** Refusals that come in floods: each is counted, some are kept. */
const floods = new Set(['overloaded', 'not-found', 'rate-limited']);
const keptOfAFlood = 50;

/** Records of requests without a lifecycle, apart from the others: a flood of refusals evicts no failure. */
export class UnstartedRecords {
  readonly #kept: RingBuffer<Recorded>;
  readonly #bucket = new TokenBucket(keptOfAFlood);
  readonly #counts = { rejected: 0, replayed: 0, crashed: 0 };

  constructor(
    capacity: number,
    private readonly withTexts: boolean,
  ) {
    this.#kept = new RingBuffer(capacity);
  }

  get counts(): UnstartedCounts {
    return { ...this.#counts };
  }

  add({ problem, correlation, command, transport, status }: UnstartedRequest): void {
    const outcome = problem === undefined ? 'replayed' : isCrash(problem) ? 'failed' : 'rejected';
    this.#counts[outcome === 'failed' ? 'crashed' : outcome]++;
    const startedMs = performance.now();
    if (problem !== undefined && floods.has(problem.code) && !this.#bucket.take(startedMs)) return;
    const error = problem && recordError(problem, this.withTexts);
    const record = (): RequestRecord => ({
      id: correlation.messageId,
      correlationId: correlation.correlationId,
      traceId: correlation.traceparent.slice(3, 35),
      command,
      transport,
      outcome,
      status,
      error,
      failedIn: undefined,
      startedAt: new Date(performance.timeOrigin + startedMs).toISOString(),
      ms: 0,
      states: [],
    });
    this.#kept.add({ startedMs, record });
  }

  records(): Iterable<Recorded> {
    return this.#kept.newestFirst();
  }
}

const isCrash = ({ status, code }: { readonly status: number; readonly code: string }): boolean =>
  status >= 500 && code !== 'overloaded' && code !== 'draining';
