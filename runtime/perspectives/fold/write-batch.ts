import type { Long, Uuid } from '../../../contracts/scalars.js';
import type { Folded, Snapshot } from './fold.js';
import type { OrderKey } from '../../log/order-key.js';

/** A key that failed and waits for its release. */
export interface ParkedKey {
  readonly key: string;
  readonly eventId: Uuid;
  readonly globalPosition: Long;
  readonly error: string;
  readonly attempts: number;
}

/** What one perspective replayed because of a late event. */
export interface Replay {
  readonly rewind: Long;
  readonly fromPosition: Long;
  readonly triggerEventId: Uuid;
  readonly finalEventId: Uuid;
  readonly replayed: number;
  readonly startedAt: string;
}

/** Everything that one transaction writes for a perspective. */
export interface WriteBatch {
  readonly folded: readonly Folded[];
  readonly parked: readonly ParkedKey[];
  /** Keys that are no longer parked. */
  readonly released: readonly string[];
  /** From this order key on, the snapshots of a row are wrong. */
  readonly forget: readonly { readonly key: string; readonly after: OrderKey }[];
  readonly replays: readonly Replay[];
  /** The last folded event: nothing is written if the log holds another one at its position. */
  readonly seen?: { readonly position: Long; readonly eventId: Uuid } | undefined;
}

export const emptyBatch: WriteBatch = { folded: [], parked: [], released: [], forget: [], replays: [] };

/** The batch as the perspective's write function expects it. Models are already JSON and are passed through. */
export function batchJson(
  { folded, parked, released, forget, replays, seen }: WriteBatch,
  epoch?: number,
): string {
  const rows = folded.flatMap(({ key, row, columns }) =>
    row === null
      ? []
      : withModel(row.model, {
          id: key,
          ...columns,
          tenant: row.tenant,
          position: row.position,
          applied: row.applied,
        }),
  );
  const deletes = folded.filter(({ row }) => row === null).map(({ key }) => key);
  const snapshots = folded.flatMap(({ key, snapshots: taken }) => taken.map((one) => snapshotJson(key, one)));
  const rest = {
    epoch,
    seen: seen && { position: seen.position, event_id: seen.eventId },
    deletes,
    released,
    parked: parked.map(({ eventId, globalPosition, ...other }) => ({
      ...other,
      event_id: eventId,
      global_position: globalPosition,
    })),
    forget: forget.map(({ key, after: { at, store, position } }) => ({
      key,
      at,
      store,
      stream_position: position,
    })),
    rewound: replays.map((replay) => ({
      rewind: replay.rewind,
      from_position: replay.fromPosition,
      trigger_event_id: replay.triggerEventId,
      final_event_id: replay.finalEventId,
      replayed: replay.replayed,
      started_at: replay.startedAt,
    })),
  };
  return `{"rows":[${rows.join(',')}],"snapshots":[${snapshots.join(',')}],${JSON.stringify(rest).slice(1)}`;
}

const snapshotJson = (key: string, { model, tenant, applied, entry }: Snapshot): string =>
  withModel(model, {
    key,
    at: entry.key.at,
    store: entry.key.store,
    stream_position: entry.key.position,
    global_position: entry.event.globalPosition,
    event_id: entry.event.messageId,
    tenant,
    applied,
  });

const withModel = (model: string, rest: object): string =>
  `{"model":${model},${JSON.stringify(rest).slice(1)}`;
