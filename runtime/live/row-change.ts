import type { Long } from '../../contracts/scalars.js';
import { foldKey, type FoldRules, type StoredModel } from '../perspectives/fold/fold.js';
import { keysOf } from '../perspectives/fold/group-by-key.js';
import type { LogEntry } from '../log/log-entry.js';
import { LiveRow } from './live-row.js';

/** A row that events of the log may have changed. */
export interface RowChange {
  readonly key: string;
  /** The last of its events: the id of the change. */
  readonly position: Long;
  readonly entries: readonly LogEntry[];
  /** Undefined: there is no such row anymore. */
  readonly row: LiveRow | undefined;
}

/** What readers may have seen of a row before it changed: without any row, nothing; `unknown` without a history. */
export type EarlierRows = readonly LiveRow[] | 'unknown';

/**
 * The rows that these events changed, by the position of their last event. A row without one of them is parked, or the
 * event belongs to another tenant. One that holds a later event follows with that.
 */
export function rowChanges(
  rules: FoldRules,
  entries: readonly LogEntry[],
  rows: ReadonlyMap<string, LiveRow>,
  to: Long,
): readonly RowChange[] {
  const changes = Array.from(entriesByKey(rules, entries), ([key, own]): RowChange => {
    const position = own.at(-1)?.event.globalPosition ?? 0;
    return { key, position, entries: own, row: rows.get(key) };
  });
  return changes
    .filter(({ row, entries: [first] }) => {
      const from = first?.event.globalPosition ?? 0;
      return row === undefined || (row.position >= from && row.position <= to);
    })
    .sort((a, b) => a.position - b.position);
}

/** Events whose key cannot be read have no row. */
export function entriesByKey(
  rules: FoldRules,
  entries: readonly LogEntry[],
): ReadonlyMap<string, readonly LogEntry[]> {
  const byKey = new Map<string, LogEntry[]>();
  for (const entry of entries)
    for (const key of keysIfKnown(rules, entry)) {
      const own = byKey.get(key);
      if (own === undefined) byKey.set(key, [entry]);
      else own.push(entry);
    }
  return byKey;
}

function keysIfKnown(rules: FoldRules, entry: LogEntry): readonly string[] {
  try {
    return keysOf(rules, entry);
  } catch {
    return [];
  }
}

/** Whether there was no such row before these events. */
export function isNew({ row, entries }: RowChange, { byStream }: FoldRules['table']): boolean {
  if (row !== undefined) return row.applied === entries.length;
  return byStream && entries[0]?.event.streamPosition === 1 && !entries.some(({ late }) => late);
}

/** The row before its events and between them: readers may have seen each. */
export function earlierRows(
  rules: FoldRules,
  { key, entries }: RowChange,
  before: StoredModel | undefined,
): readonly LiveRow[] {
  const found = before === undefined ? [] : [new LiveRow(before)];
  let base = before;
  for (const entry of entries.slice(0, -1)) {
    base = foldKey(rules, key, base, [entry]).row ?? undefined;
    if (base !== undefined) found.push(new LiveRow(base));
  }
  return found;
}

/** The tenants of its events; a deleted row belonged to one of them. */
export const tenantsOf = ({ entries }: RowChange): ReadonlySet<string | undefined> =>
  new Set(entries.map(({ event }) => event.scope?.['tenantId'] ?? undefined));
