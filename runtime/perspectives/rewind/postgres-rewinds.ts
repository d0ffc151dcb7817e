import type { Long } from '../../../contracts/scalars.js';
import type { Database, Row } from '../../database/database.js';
import type {
  CompletedRewind,
  PerspectiveRewinds,
  StreamRewind,
  UnreportedReplay,
} from '../perspective-store.js';

export class PostgresRewinds implements PerspectiveRewinds {
  constructor(
    private readonly database: Pick<Database, 'rows'>,
    private readonly perspective: string,
  ) {}

  async begin(to: Long): Promise<readonly StreamRewind[]> {
    const found = await this.#rows(
      `SELECT rewind, stream_id, array_to_json(names), svc_iso_time(started_at), announced, trigger_id FROM svc_claim_rewinds($1, $2)`,
      ...[this.perspective, to],
    );
    return found.map(([rewind, streamId, names, startedAt, announced, trigger]) => ({
      rewind: Number(rewind),
      streamId: streamId ?? '',
      names: namesOf(names),
      startedAt: startedAt ?? '',
      announced: announced === 't',
      triggerEventId: trigger ?? '',
    }));
  }

  async markAnnounced(rewind: Long): Promise<void> {
    await this.#rows('SELECT svc_rewind_announced($1)', rewind);
  }

  async unreported(): Promise<readonly UnreportedReplay[]> {
    const found = await this.#rows(
      `SELECT p.rewind, p.from_position, p.trigger_event_id, p.final_event_id, p.replayed, svc_iso_time(p.started_at),
          svc_iso_time(p.completed_at), r.stream_id
        FROM svc_rewind_replays p JOIN svc_rewinds r ON r.global_position = p.rewind
        WHERE p.perspective = $1 AND NOT p.told ORDER BY p.rewind, p.from_position`,
      this.perspective,
    );
    return found.map(([rewind, from, trigger, final, replayed, startedAt, completedAt, streamId]) => ({
      rewind: Number(rewind),
      fromPosition: Number(from),
      triggerEventId: trigger ?? '',
      finalEventId: final ?? '',
      replayed: Number(replayed),
      startedAt: startedAt ?? '',
      completedAt: completedAt ?? '',
      streamId: streamId ?? '',
    }));
  }

  async markReported({ rewind, fromPosition }: UnreportedReplay): Promise<void> {
    await this.#rows('SELECT svc_rewind_told($1, $2, $3)', rewind, this.perspective, fromPosition);
  }

  async completed(): Promise<readonly CompletedRewind[]> {
    const found = await this.#rows(
      `SELECT r.global_position, r.stream_id, array_to_json(r.names), svc_iso_time(r.started_at),
          svc_iso_time(coalesce(p.at, clock_timestamp())), p.n
        FROM svc_rewinds r CROSS JOIN LATERAL (
          SELECT coalesce(sum(x.replayed), 0) n, max(x.completed_at) at, coalesce(bool_and(x.told), true) told
          FROM svc_rewind_replays x WHERE x.rewind = r.global_position) p
        WHERE r.pending = '{}' AND r.started_at IS NOT NULL AND p.told`,
    );
    return found.map(([rewind, streamId, names, startedAt, completedAt, replayed]) => ({
      rewind: Number(rewind),
      streamId: streamId ?? '',
      names: namesOf(names),
      startedAt: startedAt ?? '',
      completedAt: completedAt ?? '',
      replayed: Number(replayed),
    }));
  }

  async close(rewind: Long): Promise<void> {
    await this.#rows('SELECT svc_close_rewind($1)', rewind);
  }

  #rows(text: string, ...values: unknown[]): Promise<Row[]> {
    return this.database.rows({ text, values });
  }
}

const namesOf = (json: string | null | undefined): readonly string[] => JSON.parse(json ?? '[]') as string[];
