import { takesOrigin } from '../../contracts/event-origin.js';
import type { EventStore, StoredEvent } from '../../contracts/event-store.js';
import type { ModelReader, PerspectiveClass } from '../../contracts/model-query.js';
import type { Event } from '../../contracts/message.js';
import type { AnyPerspective } from '../../contracts/perspective.js';
import { freezePlain } from '../lang/plain-state.js';
import type { LogEntry } from '../log/log-entry.js';
import { foldKey } from '../perspectives/fold/fold.js';
import { groupByKey } from '../perspectives/fold/group-by-key.js';
import { rowsQueryOf, unknownClass } from '../perspectives/reads/model-reader.js';
import { type PerspectiveTable, perspectiveTable } from '../perspectives/tables/perspective-table.js';
import { type InMemoryRow, rowsInMemory } from './in-memory-rows.js';

/** A perspective, and rows that a test sets: `[key, model]`. */
export interface GivenPerspective {
  readonly perspective: AnyPerspective;
  readonly rows: readonly (readonly [key: string, model: unknown])[];
}

/** Reads the rows that perspectives make of the events of a store; where a host would park a row, it fails. */
export function inMemoryModels(given: readonly GivenPerspective[], store: EventStore): ModelReader {
  const find = (asked: PerspectiveClass<unknown>): GivenPerspective =>
    given.find(({ perspective }) => perspective.constructor === asked) ?? unknownClass(asked);
  return {
    one: async (asked, key, tenant) =>
      (await rowsOf(find(asked), store, tenant)).find(({ id }) => id === key)?.model,
    some: async (asked, query, tenant) => {
      const found = find(asked);
      const rowsQuery = rowsQueryOf(perspectiveTable(found.perspective), query, tenant);
      return rowsInMemory(await rowsOf(found, store, tenant), rowsQuery)
        .slice(0, rowsQuery.limit)
        .map(({ model }) => model);
    },
  };
}

/** The rows of a tenant; those that a test sets are of every tenant. */
async function rowsOf(
  { perspective, rows }: GivenPerspective,
  store: EventStore,
  tenant: string | null = null,
): Promise<readonly InMemoryRow[]> {
  const rules = { perspective, table: perspectiveTable(perspective) };
  const { byKey, keyless } = groupByKey(rules, await entriesFor(rules.table, store));
  for (const { error } of keyless.values()) throw error;
  const found = new Map<string, InMemoryRow>();
  for (const [id, entries] of byKey) {
    const { row, failure } = foldKey(rules, id, undefined, entries);
    if (failure !== undefined) throw failure.error;
    if (row?.tenant === tenant)
      found.set(id, { id, tenant, position: row.position, model: JSON.parse(row.model) });
  }
  for (const [id, model] of rows)
    found.set(id, { id, tenant, position: 0, model: JSON.parse(JSON.stringify(model)) as unknown });
  return [...found.values()];
}

async function entriesFor({ types, origin }: PerspectiveTable, store: EventStore): Promise<LogEntry[]> {
  const entries: LogEntry[] = [];
  for await (const event of store.readAll({ after: 0, types })) {
    const isForeign = event.store !== undefined;
    const key = { at: 0, store: '', position: event.streamPosition };
    if (!takesOrigin(origin, isForeign)) continue;
    // Followers of a host share it: what would change it for others fails here.
    freezePlain(event.payload);
    entries.push({ event: event as StoredEvent<Event>, key, late: false, isForeign });
  }
  return entries;
}
