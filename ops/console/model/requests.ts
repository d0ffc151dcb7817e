import type { RequestRecord } from '../../../endpoints/inspection/request-record.js';
import type { StreamRecord } from './system-records.js';

type ListedField =
  | 'id'
  | 'correlationId'
  | 'command'
  | 'transport'
  | 'outcome'
  | 'startedAt'
  | 'ms'
  | 'states';

/** What the list shows of a request that has ended. */
export interface RequestLine
  extends Pick<RequestRecord, ListedField>, Partial<Pick<RequestRecord, 'failedIn'>> {
  /** Which of several hosts took it. */
  readonly host?: string | undefined;
  /** Name or code of what it failed with, or recovered from. */
  readonly error?: string | undefined;
}

export interface RequestDetail extends RequestLine {
  readonly traceId?: RequestRecord['traceId'];
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
