import type { RebuildMode } from '../../../contracts/perspective.js';
import { Problem } from '../../../contracts/problems.js';
import type { Uuid } from '../../../contracts/scalars.js';
import { newUuid } from '../../../contracts/uuid.js';
import { rebuildIsFree, rebuildLeaseMs, type Rows } from './rebuild-record.js';

/** The options of a requested rebuild. */
export interface RebuildRequest {
  readonly mode: RebuildMode;
  /** For SelectedStreams: the streams. */
  readonly streams?: readonly Uuid[];
  /** The limit of events per second. */
  readonly maxRate?: number;
  /** Goes live even if rows that readers had cannot be folded anymore; those are parked. */
  readonly force?: boolean;
}

/** How long a requested rebuild waits for a host. */
export const pickUpTimeoutMs = 30_000;

/** Stores the request, held by the requesting worker or free for the host that runs the perspective. An abandoned one of the same kind resumes. */
export async function requestRebuild(
  owner: Rows,
  table: { readonly table: string; readonly name: string },
  { mode, streams = [], maxRate, force = false }: RebuildRequest,
  worker: Uuid | null = null,
): Promise<Uuid> {
  const lease = `CASE WHEN $2::uuid IS NULL THEN '-infinity' ELSE clock_timestamp() + interval '${rebuildLeaseMs} ms' END`;
  const values = [newUuid(), worker, table.table, table.name, mode, streams, maxRate ?? null, force];
  for (;;) {
    const [made] = await owner.rows({
      text: `INSERT INTO svc_rebuilds(id, owner, lease_until, table_name, name, mode, streams, max_rate, force)
        VALUES ($1, $2, ${lease}, $3, $4, $5, $6, $7, $8)
        ON CONFLICT (table_name) WHERE ended_at IS NULL DO NOTHING RETURNING id`,
      values,
    });
    if (made !== undefined) return made[0] ?? '';
    const [open] = await owner.rows({
      text: `SELECT id, NOT ${rebuildIsFree}, mode = $2 AND streams = $3,
          started_at IS NULL AND NOT cancel AND requested_at > clock_timestamp() - interval '${pickUpTimeoutMs} ms'
        FROM svc_rebuilds WHERE table_name = $1 AND ended_at IS NULL`,
      values: [table.table, mode, streams],
    });
    if (open === undefined) continue;
    if (open[1] === 't') throw rebuildUnderWay(table.name);
    if (open[2] === 't') {
      const [joined] = await owner.rows({
        text: `UPDATE svc_rebuilds SET cancel = false, force = $3, owner = coalesce($2, owner), lease_until = ${lease}
          WHERE id = $1 AND ended_at IS NULL AND ${rebuildIsFree} RETURNING id`,
        values: [open[0], worker, force],
      });
      if (joined !== undefined) return joined[0] ?? '';
      continue;
    }
    if (open[3] === 't') throw rebuildUnderWay(table.name);
    await owner.rows({
      text: `UPDATE svc_rebuilds SET state = 'cancelled', error = 'another rebuild was requested', ended_at = clock_timestamp()
        WHERE id = $1 AND ended_at IS NULL AND ${rebuildIsFree}`,
      values: [open[0]],
    });
  }
}

export const rebuildUnderWay = (name: string): Problem =>
  new Problem('rebuild-under-way', {
    detail: `${name} is already being rebuilt; wait for it, or cancel it first.`,
  });

/** Requests the cancellation of a rebuild; returns whether there was one. */
export async function cancelRebuild(owner: Rows, name: string): Promise<boolean> {
  const rows = await owner.rows({
    text: 'UPDATE svc_rebuilds SET cancel = true WHERE name = $1 AND ended_at IS NULL RETURNING 1',
    values: [name],
  });
  return rows.length > 0;
}
