import { Problem } from '../../../contracts/problems.js';
import type { Uuid } from '../../../contracts/scalars.js';
import { newUuid } from '../../../contracts/uuid.js';
import type { Database } from '../../../runtime/database/database.js';
import { effectRow } from '../../../runtime/effects/effect-row.js';
import { type KnownEffect, knownEffect } from '../../../runtime/effects/known-effect.js';
import { openPostgresStore } from '../../../runtime/store/postgres-event-store.js';
import { sets } from '../../../runtime/testing/unit-lists/units.js';
import { Charge, type EffectSettings, effectsThat, Print } from './effect-commands.js';
import type { StoredEffects } from './effect-check.js';

export const tenants: readonly Uuid[] = Array.from({ length: 24 }, () => newUuid());
const perUnit = 96;

type Row = ReturnType<typeof effectRow>;

/** Asks for effects. */
export class EffectLoad {
  asked = 0;
  readonly #next = new Map<Uuid, number>();
  readonly #known: ReadonlyMap<unknown, KnownEffect>;

  /** With the settings of the hosts. */
  constructor(
    private readonly database: Database,
    settings?: EffectSettings,
  ) {
    const all = effectsThat(() => Promise.resolve(), settings).map(knownEffect);
    this.#known = new Map(all.map((known) => [known.command, known]));
  }

  /** Of four, one in a lane that has an order. */
  ask(count: number): Promise<void> {
    return this.#store(count, (at) =>
      this.#row(at % 4 === 0 ? Print : Charge, tenants[(at >> 2) % tenants.length] ?? ''),
    );
  }

  /** Of one kind, by tenants in turn. */
  askFor(command: typeof Charge, of: readonly Uuid[], count: number, parts?: number): Promise<void> {
    return this.#store(count, (at) => this.#row(command, of[at % of.length] ?? '', parts));
  }

  async #store(count: number, rowAt: (at: number) => Row): Promise<void> {
    const store = openPostgresStore(this.database, { host: 'asking' });
    try {
      for (let from = 0; from < count; from += perUnit) {
        const rows = Array.from({ length: Math.min(perUnit, count - from) }, (_, at) => rowAt(from + at));
        await store.commit(sets(...rows));
        this.asked += rows.length;
      }
    } finally {
      await store.close();
    }
  }

  #row(command: typeof Charge, account: Uuid, parts?: number): Row {
    const n = this.#next.get(account) ?? 0;
    this.#next.set(account, n + 1);
    const cause = { causationId: newUuid(), correlationId: newUuid(), scope: { tenantId: account } };
    const effect = this.#known.get(command);
    if (effect === undefined) throw new Problem('unexpected', { detail: `Nothing does ${command.name}.` });
    const request = command.of({ account, n, ...(parts !== undefined && { parts }) });
    return effectRow(effect, request, {}, cause);
  }
}

export async function readEffects(database: Database): Promise<StoredEffects> {
  const outcomes = await database.rows({
    text: `SELECT e.event_type, e.stream_id, e.data ->> 'n', count(a.id)
      FROM svc_event_stream e LEFT JOIN (SELECT s.data ->> 'originalEventId' AS id FROM svc_system_stream s
        WHERE s.event_type = 'EventAudited') a ON a.id = e.event_id::text
      WHERE e.event_type IN ('Charged', 'Printed') GROUP BY e.global_position, 1, 2, 3 ORDER BY e.global_position`,
  });
  const [[audits, left] = []] = await database.rows({
    text: `SELECT (SELECT count(*) FROM svc_system_events WHERE event_type = 'CommandAudited' AND data ->> 'commandType' IN ('Charge', 'Print', 'Upload')),
      (SELECT count(*) FROM svc_timers WHERE kind = 'effect')`,
  });
  return {
    outcomes: outcomes.map(([type, account, n, audited]) => ({
      type: type ?? '',
      account: account ?? '',
      n: Number(n),
      audits: Number(audited),
    })),
    commandAudits: Number(audits),
    left: Number(left),
  };
}

export async function countOutcomes(database: Database): Promise<number> {
  return Number((await database.rows({ text: 'SELECT count(*) FROM svc_events' }))[0]?.[0]);
}

/** Records of one type. */
export async function countRecords(database: Database, type: string): Promise<number> {
  const text = 'SELECT count(*) FROM svc_system_events WHERE event_type = $1';
  return Number((await database.rows({ text, values: [type] }))[0]?.[0]);
}

/** Why requests are parked. */
export async function parkedErrors(database: Database): Promise<readonly string[]> {
  const rows = await database.rows({ text: 'SELECT error FROM svc_timers WHERE parked' });
  return rows.map(([error]) => error ?? '');
}

/** Releases what is parked because five hosts died, or froze, during its call. */
export async function releaseLost(database: Database): Promise<void> {
  await database.rows({
    text: `WITH locked AS MATERIALIZED (SELECT svc_lock_log())
      SELECT (SELECT count(*) FROM svc_run_timers(ARRAY(SELECT id FROM svc_timers WHERE parked AND starts_with(error, 'effect-lost: ')))) FROM locked`,
  });
}

export async function isSettled(database: Database): Promise<boolean> {
  const [[settled] = []] = await database.rows({
    text: 'SELECT NOT EXISTS (SELECT FROM svc_timers WHERE NOT parked)',
  });
  return settled === 't';
}

/** What a host of this name has claimed; without a name: what all have. */
export async function claimedBy(database: Database, host: string | null): Promise<number> {
  const [[count] = []] = await database.rows({
    text: `SELECT count(*) FROM svc_timers v WHERE v.claimed_by IS NOT NULL AND NOT v.parked
      AND ($1::text IS NULL OR v.claimed_by IN (SELECT h.id FROM svc_hosts h WHERE h.name = $1))`,
    values: [host],
  });
  return Number(count);
}
