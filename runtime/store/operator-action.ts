import { OperatorActed } from '../../contracts/events/operator.js';
import type { Database, Session } from '../database/database.js';
import { nowText } from '../now-text.js';
import { type ChangeRecorder, recordedIn } from './append-records.js';

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
): OperatorActed =>
  new OperatorActed({
    ...{ action, target, actor: operator.changedBy },
    ...{ reason: reason?.trim() || undefined, timestamp: nowText() },
  });

interface Done<T> {
  readonly result: T;
  /** What was changed, a record for each; an action that changes nothing is not recorded. */
  readonly targets: readonly string[];
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
  await recordedIn(database, by.operator, async (session) => {
    const { result, targets } = await act(session);
    results.splice(0, 1, result);
    return targets.map((target) => operatorActed(by, action, target));
  });
  return results[0] as T;
}
