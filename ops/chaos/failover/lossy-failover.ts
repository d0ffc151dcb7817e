import { inStore } from '../harness/cluster-queries.js';
import type { RetryingClients } from '../harness/retrying-clients.js';
import { holdsWithin } from '../scenarios/scenario.js';
import { enough, type Scene } from './failover-scene.js';

/** A loss as it happened, and as the host recorded it. */
export interface ReportedLoss {
  /** The last position that both servers hold, and the last one of the server that was lost. */
  readonly fork: number;
  readonly lostTo: number;
  /** What StoreWentBack says; unset if there is none. */
  readonly said: Readonly<Record<string, unknown>> | undefined;
  /** Whether it says exactly what was lost. */
  readonly isExact: boolean;
}

/** Loses the primary while its standbys lag; the clients have stopped by then, so that the loss is known exactly. */
export async function loseTheNewest(
  { trio }: Pick<Scene, 'trio'>,
  clients: RetryingClients,
): Promise<() => Promise<ReportedLoss>> {
  const leader = await trio.leader();
  await trio.freezeSenders(leader);
  await clients.waitForMore(enough);
  await clients.stop();
  const before = await positionsIn(trio.url);
  trio.killPostmaster(leader);
  await trio.untilLeaderIsNot(leader);
  return async () => {
    const after = await positionsIn(trio.url);
    const lost = [...before]
      .filter(([position, id]) => after.get(position) !== id)
      .map(([position]) => position);
    const lostTo = Math.max(0, ...lost);
    const fork = lost.reduce((least, position) => Math.min(least, position), Infinity) - 1;
    let said: ReportedLoss['said'];
    await holdsWithin('the loss is recorded', 120_000, async () => {
      said = await lastReportIn(trio.url);
      return said !== undefined;
    });
    return { fork, lostTo, said, isExact: isExact(said, fork, lostTo) };
  };
}

export const isExact = (said: ReportedLoss['said'], fork: number, lostTo: number): boolean =>
  said !== undefined && said['fork'] === fork && said['lostTo'] === lostTo;

/** A record that has no range can only be asked whether it is there. */
export const isReported = ({ said, isExact: exact }: ReportedLoss): boolean =>
  said !== undefined && (said['fork'] === undefined || exact);

const positionsIn = (url: string): Promise<ReadonlyMap<number, string>> =>
  inStore(url, async (database) => {
    const rows = await database.rows({
      text: `SELECT global_position, event_id FROM svc_events
        UNION ALL SELECT global_position, event_id FROM svc_system_events`,
    });
    return new Map(rows.map(([position, id]) => [Number(position), id ?? '']));
  });

const lastReportIn = (url: string): Promise<ReportedLoss['said']> =>
  inStore(url, async (database) => {
    const [row] = await database.rows({
      text: `SELECT data FROM svc_system_stream WHERE event_type = 'StoreWentBack'
        ORDER BY stream_position DESC LIMIT 1`,
    });
    const text = row?.[0] ?? undefined;
    return text === undefined ? undefined : (JSON.parse(text) as Record<string, unknown>);
  });
