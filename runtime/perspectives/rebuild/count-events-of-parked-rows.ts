import type { Long } from '../../../contracts/scalars.js';
import type { Upcasters } from '../../../contracts/upcaster.js';
import type { Session } from '../../database/database.js';
import type { FoldRules } from '../fold/fold.js';
import { keylessKeyOf, keysOf } from '../fold/group-by-key.js';
import type { LogEntry } from '../../log/log-entry.js';
import { parkedIn } from './rows-lost-by-rebuild.js';
import { orderedEntries } from '../../log/ordered-entries.js';

export interface LogCounts {
  readonly streams: number;
  readonly events: number;
}

const streamsAtOnce = 1_000;

/** Counts events up to a position that a row lacks, because it is parked there or earlier, and the streams that have no others. */
export async function countUnfolded(
  reader: Session,
  rules: FoldRules,
  upcasters: Upcasters | undefined,
  to: Long,
): Promise<LogCounts> {
  const { table, perspective } = rules;
  const parked = (await parkedIn(reader, table.table)).filter(({ globalPosition }) => globalPosition <= to);
  if (parked.length === 0) return { streams: 0, events: 0 };
  const stopsAt = new Map(parked.map(({ key, eventId }) => [key, eventId]));
  const stopped = new Set<string>();
  const [unfolded, folded] = [new Set<string>(), new Set<string>()];
  let events = 0;
  const keys = [...stopsAt.keys()];
  const order =
    table.byStream || perspective.late === 'rebuild' ? ('happened' as const) : ('stored' as const);
  const source = { types: table.types, origin: table.origin, after: 0, to, order, upcasters };
  const parts = table.byStream ? chunksOf(keys) : [undefined];
  for (const part of parts)
    for await (const entries of orderedEntries(reader, {
      ...source,
      ...(part === undefined ? {} : { streams: part }),
    }))
      for (const entry of entries) {
        const keysOfEntry = keysFor(rules, entry);
        for (const key of keysOfEntry) if (stopsAt.get(key) === entry.event.messageId) stopped.add(key);
        const isUnfolded = keysOfEntry.some((key) => stopped.has(key));
        (isUnfolded ? unfolded : folded).add(entry.event.streamId);
        if (isUnfolded) events++;
      }
  return { streams: countOnlyUnfolded(folded, unfolded), events };
}

export const countOnlyUnfolded = (folded: ReadonlySet<string>, unfolded: ReadonlySet<string>): number =>
  [...unfolded].filter((stream) => !folded.has(stream)).length;

function keysFor(rules: FoldRules, entry: LogEntry): readonly string[] {
  try {
    return keysOf(rules, entry);
  } catch {
    return [keylessKeyOf(entry.event.messageId)];
  }
}

const chunksOf = (keys: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(keys.length / streamsAtOnce) }, (_, index) =>
    keys.slice(index * streamsAtOnce, (index + 1) * streamsAtOnce),
  );
