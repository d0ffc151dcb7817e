import type { Long } from '../../contracts/scalars.js';
import { SystemEventStreams } from '../../contracts/system-stream.js';
import type { FoldRules, StoredModel } from '../perspectives/fold/fold.js';
import type { LiveSource } from './live-source.js';
import { earlierRows, type EarlierRows, isNew, type RowChange } from './row-change.js';

/** The row before a change; null: there was none, undefined: that is not known. */
export type KnownBefore = (change: RowChange) => StoredModel | null | undefined;

interface EarlierPorts {
  readonly rules: FoldRules;
  readonly source: LiveSource;
  readonly known: KnownBefore;
  /** The changes came after it. */
  readonly position: Long;
}

/** What readers may have seen of rows since a position. */
export async function findEarlierRows(
  { rules, source, known, position }: EarlierPorts,
  changes: readonly RowChange[],
): Promise<ReadonlyMap<string, EarlierRows>> {
  const found = new Map<string, EarlierRows>();
  const missing: RowChange[] = [];
  for (const change of changes) {
    const before = isNew(change, rules.table) ? null : known(change);
    if (before !== undefined) found.set(change.key, earlierRows(rules, change, before ?? undefined));
    else if (hasHistory(rules, change)) missing.push(change);
    else found.set(change.key, 'unknown');
  }
  const keys = missing.map(({ key }) => key);
  const history = await source.historyOf(keys, position);
  for (const change of missing) {
    const before = history?.get(change.key);
    found.set(change.key, history === undefined ? 'unknown' : earlierRows(rules, change, before));
  }
  return found;
}

/** A row of one stream can be folded again from that stream; others would need the whole log. */
const hasHistory = ({ table }: FoldRules, { key }: RowChange): boolean =>
  table.byStream && key !== SystemEventStreams.streamId;
