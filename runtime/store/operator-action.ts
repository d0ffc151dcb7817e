import { OperatorActed } from '../../contracts/events/operator.js';
import type { StagedRecord } from '../../contracts/unit-store.js';
import type { Database, Session } from '../database/database.js';
import { nowText } from '../lang/now-text.js';
import { type ChangeRecorder, recordedIn } from './append-records.js';
import { encodeUnit } from './encode-unit.js';

/** Who acts. */
interface Operator extends ChangeRecorder {
  readonly changedBy: string;
}

/** Who acts, and why. */
export interface ActingOperator {
  readonly operator: Operator;
  readonly reason?: string | undefined;
}

/** Where, who and why. */
export interface OperatorCall extends ActingOperator {
  readonly database: Pick<Database, 'rows' | 'session'>;
}

/** What is recorded of an action, which is named as on the command line: `dead-letters discard`. */
export const operatorActed = (
  { operator, reason }: ActingOperator,
  action: string,
  target: string,
  details?: Readonly<Record<string, string>>,
): OperatorActed =>
  new OperatorActed({
    action,
    target,
    actor: operator.changedBy,
    details,
    reason: reason?.trim() || undefined,
    timestamp: nowText(),
  });

/** A record for a procedure that stores it with what it changes. */
interface RecordToStore {
  /** The parameters `s_id` to `s_publish`; null when system events are not registered. */
  readonly parameters: readonly unknown[];
  /** Call it when the procedure has stored it. */
  readonly stored: () => void;
}

export function recordToStore({ operator }: ActingOperator, acted: OperatorActed): RecordToStore {
  const staged = operator.recordOf?.(acted);
  const records = staged === undefined ? [] : [staged];
  return { parameters: recordParameters(staged), stored: () => operator.committed?.(records) };
}

/** The parameters `s_id` to `s_publish` of a procedure that stores a record with what it changes. */
export function recordParameters(staged: StagedRecord | undefined): readonly unknown[] {
  const records = staged === undefined ? [] : [staged];
  const [record] = encodeUnit({ events: [], records, expected: new Map() }, Date.now()).records;
  const { id, type, data, metadata, publish = false } = record ?? {};
  return [id, type, data, metadata, publish];
}

interface Done<T> {
  readonly result: T;
  /** What was changed, a record for each; an action that changes nothing is not recorded. */
  readonly targets: readonly string[];
  readonly details?: Readonly<Record<string, string>>;
}

/** Stores what an operator does and its records in one transaction. */
export async function recordedAction<T>(
  database: Pick<Database, 'session'>,
  by: ActingOperator,
  action: string,
  act: (session: Session) => Promise<Done<T>>,
): Promise<T> {
  // An action that has to wait for a lock is tried again: the last result counts.
  const results: T[] = [];
  const change = async (session: Session) => {
    const { result, targets, details } = await act(session);
    results.splice(0, 1, result);
    return targets.map((target) => operatorActed(by, action, target, details));
  };
  await recordedIn(database, by.operator, change, ['svc', 'svc_lease']);
  return results[0] as T;
}
