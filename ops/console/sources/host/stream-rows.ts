import { setImmediate as nextTurn } from 'node:timers/promises';
import { takesOrigin } from '../../../../contracts/event-origin.js';
import type { AnyPerspective } from '../../../../contracts/perspective.js';
import type { AuditPolicy } from '../../../../runtime/audit/audit-policy.js';
import { failureText } from '../../../../runtime/perspectives/parked/failure-text.js';
import { Fold, type FoldRules } from '../../../../runtime/perspectives/fold/fold.js';
import { groupByKey, keysOf } from '../../../../runtime/perspectives/fold/group-by-key.js';
import type { LogEntry } from '../../../../runtime/log/log-entry.js';
import { compareKeys } from '../../../../runtime/log/order-key.js';
import { perspectiveTable } from '../../../../runtime/perspectives/tables/perspective-table.js';
import type { RowStep } from '../../model/streams.js';

type Redactions = Pick<AuditPolicy, 'isSensitive' | 'bodyOf'>;

/** After so many events other requests get their turn. */
const foldedAtOnce = 200;
/** Of the rows that one event belongs to. */
const mostShown = 20;

/** What the last of these events did to the rows that it belongs to; the events are of one stream. */
export async function rowSteps(
  perspectives: readonly AnyPerspective[],
  policy: Redactions,
  stored: readonly LogEntry[],
): Promise<readonly RowStep[]> {
  const entries = stored.map((entry) => redacted(entry, policy));
  const steps: RowStep[] = [];
  for (const perspective of perspectives) {
    const table = perspectiveTable(perspective);
    const rules = { perspective, table, isSensitive: (type: string) => policy.isSensitive(type) };
    steps.push(...(await rowStepsOf(rules, entries)));
  }
  return steps;
}

/** Values that nobody may see are hidden before they are folded: a row may hold them under any name. */
function redacted(entry: LogEntry, policy: Redactions): LogEntry {
  const { event } = entry;
  if (!policy.isSensitive(event.messageType)) return entry;
  return {
    ...entry,
    event: { ...event, payload: policy.bodyOf(event.messageType, event.payload) as object },
  };
}

async function rowStepsOf(rules: FoldRules, entries: readonly LogEntry[]): Promise<readonly RowStep[]> {
  const { name, types, origin, byStream } = rules.table;
  const last = entries.at(-1);
  const ofTypes = entries.filter(
    ({ event, isForeign }) => types.includes(event.messageType) && takesOrigin(origin, isForeign),
  );
  const isFolded = last !== undefined && ofTypes.at(-1) === last;
  if (last === undefined || ofTypes.length === 0 || (!isFolded && !byStream)) return [];
  const shown = { perspective: name, isPartial: !byStream };
  try {
    const steps: RowStep[] = [];
    const { byKey } = groupByKey(rules, ofTypes);
    for (const key of keysOf(rules, last).slice(0, mostShown)) {
      const ofRow = byStream ? ofTypes : (byKey.get(key) ?? []);
      const before = await folded(rules, key, isFolded ? ofRow.slice(0, -1) : ofRow);
      const { row, failure } = isFolded ? await folded(rules, key, ofRow) : before;
      steps.push({ ...shown, key, before: before.row, after: row, failure });
    }
    return steps;
  } catch (error) {
    return [{ ...shown, key: '', before: null, after: null, failure: failureText(rules, error) }];
  }
}

interface FoldedRow {
  readonly row: unknown;
  readonly failure: string | undefined;
}

/** As the runner folds them: in order of occurrence, and a row that fails stays as it was. */
async function folded(rules: FoldRules, key: string, entries: readonly LogEntry[]): Promise<FoldedRow> {
  const fold = new Fold(rules, key, undefined, true);
  const inOrder = entries.toSorted((one, other) => compareKeys(one.key, other.key));
  for (const [index, entry] of inOrder.entries()) {
    const failure = fold.step(entry);
    if (failure !== undefined) return { row: rowOf(fold), failure: failureText(rules, failure.error) };
    if (index % foldedAtOnce === foldedAtOnce - 1) await nextTurn();
  }
  return { row: rowOf(fold), failure: undefined };
}

function rowOf(fold: Fold): unknown {
  const { row } = fold.result();
  return row === null ? null : (JSON.parse(row.model) as unknown);
}
