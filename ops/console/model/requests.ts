import type { RequestRecord } from '../../../endpoints/inspection/request-recorder.js';
import type { TraceStep } from '../../../endpoints/inspection/request-trace.js';
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
  /** Its content as JSON, without sensitive values; where developers alone look. */
  readonly body?: RequestRecord['body'];
  /** The messages between its parts; empty if no trace was kept. */
  readonly steps: readonly TraceStep[];
  readonly events: readonly StreamRecord[];
  readonly records: readonly StreamRecord[];
}
