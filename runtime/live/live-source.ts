import type { Long, Uuid } from '../../contracts/scalars.js';
import type { Upcasters } from '../../contracts/upcaster.js';
import type { Database } from '../database/database.js';
import { foldKey, type FoldRules, type StoredModel } from '../perspectives/fold/fold.js';
import type { LogEntry, Page } from '../log/log-entry.js';
import { unlessArchived } from '../store/must-hold.js';
import { ofOrigin } from '../store/origin-sql.js';
import { eventEntry, PostgresLog } from '../log/postgres-log.js';
import { keptOf } from '../perspectives/reads/read-stored-models.js';
import { tableServedInstead } from '../perspectives/rebuild/served-table.js';
import { entriesByKey } from './row-change.js';
import { LiveRow } from './live-row.js';
import { type LivePosition, modelNumberOf } from './live-position.js';

/** An event that was read, and its position: another server may hold another one there. */
export interface SeenEvent {
  readonly position: Long;
  readonly eventId: Uuid;
}

/** The rows of some keys, exactly as they are at the cursor. */
export interface RowsAtCursor extends LivePosition {
  readonly rows: ReadonlyMap<string, LiveRow>;
  /** The log holds the event that was seen last. */
  readonly isSameLog: boolean;
}

const maxHistory = 10_000;

/** What a tail reads of one perspective. */
export class LiveSource {
  readonly #log: PostgresLog;
  #isComplete = false;

  constructor(
    private readonly database: Pick<Database, 'rows'>,
    private readonly rules: FoldRules,
    upcasters: Upcasters | undefined,
  ) {
    this.#log = new PostgresLog(database, upcasters);
  }

  page(after: Long, limit: number): Promise<Page> {
    return this.#log.page(this.rules.perspective, after, limit);
  }

  /** One statement, and so one snapshot: the rows hold all events up to the cursor and none after it. */
  async at(keys: readonly string[], seen?: SeenEvent): Promise<RowsAtCursor> {
    const table = await this.#servedTable();
    const found = await this.database.rows({
      text: `SELECT c.position, c.epoch || '.' || c.refolds, $3::bigint IS NULL OR svc_holds_event($3, $4),
          m.id, m.model, m.tenant, m.position, m.applied
        FROM svc_progress c LEFT JOIN svc_models($1, $2) m ON true WHERE c.name = $1`,
      values: [table, keys, seen?.position ?? null, seen?.eventId ?? null],
    });
    const [position, changes, isSameLog] = found[0] ?? [];
    return {
      position: Number(position ?? 0),
      model: modelNumberOf(table, changes ?? ''),
      isSameLog: isSameLog !== 'f',
      rows: new Map(
        found.flatMap(([, , , id, ...row]) =>
          typeof id === 'string' ? [[id, new LiveRow(keptOf(row))] as const] : [],
        ),
      ),
    };
  }

  /** The rows of some streams as they were at a position; undefined where that would take too long, or is archived. */
  async historyOf(
    keys: readonly string[],
    to: Long,
  ): Promise<ReadonlyMap<string, StoredModel | undefined> | undefined> {
    if (keys.length === 0) return new Map();
    const asked = this.database.rows({
      text: `SELECT ${eventEntry} FROM svc_events v
        WHERE (SELECT svc_must_hold_streams($1, NULL)) AND stream_id = ANY($1::uuid[]) AND event_type = ANY($2) AND global_position <= $3
          AND ${ofOrigin(this.rules.table.origin)}
        ORDER BY at, store, stream_position LIMIT ${maxHistory + 1}`,
      values: [keys, this.rules.table.types, to],
    });
    const found = await unlessArchived(asked);
    if (found === undefined || found.length > maxHistory) return undefined;
    const byKey = entriesByKey(this.rules, await this.#log.entriesOf(found));
    return new Map(keys.map((key) => [key, folded(this.rules, key, byKey.get(key))]));
  }

  /** Until a new version is replayed, readers see the table of the earlier one. */
  async #servedTable(): Promise<string> {
    const { table } = this.rules;
    const instead = this.#isComplete ? undefined : await tableServedInstead(this.database, table);
    this.#isComplete ||= instead === undefined;
    return instead ?? table.table;
  }
}

const folded = (
  rules: FoldRules,
  key: string,
  entries: readonly LogEntry[] | undefined,
): StoredModel | undefined =>
  entries === undefined ? undefined : (foldKey(rules, key, undefined, entries).row ?? undefined);
