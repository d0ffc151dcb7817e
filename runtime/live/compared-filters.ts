import { Problem } from '../../contracts/problems.js';
import { isPlain } from './row-selection.js';
import type { Watcher } from './watcher.js';

/** Distinct filters on numbers, times and parts of texts: PostgreSQL compares each with every batch of changes. */
const maxCompared = 200;
/** One caller must not leave nothing to others. */
const maxOfOneCaller = maxCompared / 5;

/** Throws when another watcher would make it too many. */
export function mustBeComparable(watchers: Iterable<Watcher>, { selection, caller }: Watcher): void {
  if (isPlain(selection)) return;
  const all = new Set([selection.key]);
  const own = new Set([selection.key]);
  for (const other of watchers) {
    if (isPlain(other.selection)) continue;
    all.add(other.selection.key);
    if (caller !== undefined && other.caller === caller) own.add(other.selection.key);
  }
  if (own.size > maxOfOneCaller)
    throw new Problem('rate-limited', {
      detail: `You watch ${maxOfOneCaller} different filters; close one of them, or filter by text or id.`,
      retryAfter: 10,
    });
  if (all.size > maxCompared)
    throw new Problem('overloaded', {
      detail: 'Too many different filters are being watched; filter by text or id, or try again later.',
      retryAfter: 10,
    });
}
