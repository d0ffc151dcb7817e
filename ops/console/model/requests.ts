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

/** A request in the list. */
export interface RequestItem
  extends Pick<RequestRecord, ListedField>, Partial<Pick<RequestRecord, 'failedIn' | 'status'>> {
  /** The host that handled it, if there are several. */
  readonly host?: string | undefined;
  /** Name or code of the error that it failed with or recovered from. */
  readonly error?: string | undefined;
}

export interface RequestDetail extends RequestItem {
  readonly traceId?: RequestRecord['traceId'];
  /** What went wrong, as far as it may be shown. */
  readonly failure?: RequestRecord['error'];
  /** Whether no host remembers it: its facts are those of its records. */
  readonly isRebuilt?: boolean;
  /** The messages between its actors; empty if no trace was kept. */
  readonly steps: readonly SequenceStep[];
  readonly events: readonly StreamRecord[];
  readonly records: readonly StreamRecord[];
}

/** A message from one actor to another; with the same actor on both sides, a state it entered. */
export interface SequenceStep {
  readonly atMs: number;
  readonly from: string;
  readonly to: string;
  readonly message: string;
  readonly failed?: boolean;
}
