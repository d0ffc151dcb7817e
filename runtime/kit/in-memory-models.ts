import { takesOrigin } from '../../contracts/event-origin.js';
import type { EventStore, StoredEvent } from '../../contracts/event-store.js';
import type { ModelReader, PerspectiveClass } from '../../contracts/model-query.js';
import { type Event, typeNameOf } from '../../contracts/message.js';
import type { AnyPerspective } from '../../contracts/perspective.js';
import { rowsQueryOf, unknownClass } from '../perspectives/reads/model-reader.js';
import { perspectiveTable } from '../perspectives/tables/perspective-table.js';
import { rowsInMemory } from './in-memory-rows.js';

/** A perspective, and rows that a test sets: `[key, model]`. */
export interface GivenPerspective {
  readonly perspective: AnyPerspective;
  readonly rows: readonly (readonly [key: string, model: unknown])[];
}

interface Row {
  readonly model: unknown;
  readonly position: number;
  /** Of the event that made it; without one it belongs to every tenant that reads. */
  readonly tenant?: string | undefined;
}

/** Reads the rows that perspectives make of the events of a store. */
export function inMemoryModels(given: readonly GivenPerspective[], store: EventStore): ModelReader {
  const find = (asked: PerspectiveClass<unknown>): GivenPerspective =>
    given.find(({ perspective }) => perspective.constructor === asked) ?? unknownClass(asked);
  return {
    one: async (asked, key, tenant) => {
      const row = (await fold(find(asked), store)).get(key);
      return isOf(tenant, row) ? copyOf(row?.model) : undefined;
    },
    some: async (asked, query, tenant) => {
      const found = find(asked);
      const rows = [...(await fold(found, store))]
        .filter(([, row]) => isOf(tenant, row))
        .map(([id, row]) => ({ ...row, id, tenant: null }));
      const rowsQuery = rowsQueryOf(perspectiveTable(found.perspective), query, undefined);
      return rowsInMemory(rows, rowsQuery)
        .slice(0, rowsQuery.limit)
        .map(({ model }) => copyOf(model));
    },
  };
}

const isOf = (reader: string | undefined, row: Row | undefined): boolean =>
  row?.tenant === undefined || row.tenant === reader;

async function fold(
  { perspective, rows }: GivenPerspective,
  store: EventStore,
): Promise<ReadonlyMap<string, Row>> {
  const types = new Set(perspective.events.map(typeNameOf));
  const models = new Map<string, Row>();
  for await (const event of store.readAll({ after: 0 }))
    if (types.has(event.messageType) && takesOrigin(perspective.origin, event.store !== undefined))
      apply(perspective, event as StoredEvent<Event>, models);
  for (const [key, model] of rows) models.set(key, { model, position: 0 });
  return models;
}

function apply(perspective: AnyPerspective, event: StoredEvent<Event>, models: Map<string, Row>): void {
  const keys = perspective.key?.(event) ?? event.streamId;
  for (const key of typeof keys === 'string' ? [keys] : keys) {
    const row = models.get(key);
    const tenant = event.scope?.['tenantId'] ?? undefined;
    // As on a host: another tenant changes no row.
    if (row !== undefined && tenant !== undefined && tenant !== row.tenant) continue;
    const model = perspective.apply(
      copyOf(row === undefined ? perspective.initial?.() : row.model),
      event,
      key,
    );
    if (model === null) models.delete(key);
    else
      models.set(key, {
        model,
        position: event.globalPosition,
        tenant: row === undefined ? tenant : row.tenant,
      });
  }
}

/** As it is stored: a receptor that changes it changes nothing else. */
const copyOf = (model: unknown): unknown =>
  model === undefined ? undefined : JSON.parse(JSON.stringify(model));
