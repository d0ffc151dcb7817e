import type { RequestSummary } from '../../../endpoints/inspection/request-summary.js';
import type { StreamRecord } from './records.js';

type Kept = 'id' | 'correlationId' | 'command' | 'transport' | 'outcome' | 'startedAt' | 'ms' | 'states';

/** What the list shows of a request that has ended. */
export interface RequestLine extends Pick<RequestSummary, Kept>, Partial<Pick<RequestSummary, 'failedIn'>> {
  /** Which of several hosts took it. */
  readonly host?: string | undefined;
  /** Name or code of what it failed with, or recovered from. */
  readonly error?: string | undefined;
}

export interface RequestDetail extends RequestLine {
  readonly traceId?: RequestSummary['traceId'];
  /** The messages between its actors; empty when no trace was kept. */
  readonly steps: readonly SequenceStep[];
  readonly events: readonly StreamRecord[];
  readonly records: readonly StreamRecord[];
}

/** A message from one actor to another, or with the same on both sides a state it came to. */
export interface SequenceStep {
  readonly atMs: number;
  readonly from: string;
  readonly to: string;
  readonly message: string;
  readonly failed?: boolean;
}
