import {
  type ClaimAnswer,
  type ClaimedEffect,
  type ClaimRequest,
  type EffectStore,
  type HeldClaim,
} from '../../contracts/effect-store.js';
import type { Timestamp, Uuid } from '../../contracts/scalars.js';
import type { Database, Row } from '../database/database.js';
import { notify } from '../database/notify.js';
import { recordParameters } from '../store/operator-action.js';
import { timestampOf } from '../store/stored-rows.js';
import { chunkAndRest, restsOfHosts } from '../lang/in-chunks.js';

/** A commit that cancels a request waits for the statement that prolongs its claim, and has the lock of the log meanwhile. */
const beatsAtOnce = 500;

interface ClaimingHost {
  /** The owner of its leases. */
  readonly owner: Uuid;
  readonly name: string;
  /** Of the application: another one tries again what this one cannot read. */
  readonly version: string;
}

export const postgresEffectStore = (
  database: Pick<Database, 'rows'>,
  { owner, name: host, version }: ClaimingHost,
): EffectStore => ({
  claim: (request) => claim(database, owner, request),
  beat: async (claims, forMs, progress) => {
    const kept = new Map<Uuid, Timestamp>();
    for (let from = 0; from < claims.length; from += beatsAtOnce) {
      const [ids, dues] = columnsOf(claims.slice(from, from + beatsAtOnce));
      const rows = await database.rows({
        name: 'svc_beat_effects',
        text: 'SELECT * FROM svc_beat_effects($1, $2, $3, $4, $5)',
        values: [owner, ids, dues, forMs, progress === undefined ? null : JSON.stringify(progress)],
      });
      for (const [id, due] of rows) kept.set(id ?? '', timestampOf(due));
    }
    return kept;
  },
  tryAgain: async ({ id, dueAt }, { inMs, error, attempts }) => {
    const [[isOurs] = []] = await database.rows({
      name: 'svc_retry_effect',
      text: 'SELECT svc_retry_effect($1, $2, $3, $4, $5, $6)',
      values: [owner, id, dueAt, Math.round(inMs), error, attempts],
    });
    return isOurs === 't';
  },
  park: async ({ id, dueAt }, { error, attempts, record }) => {
    const [[isOurs] = []] = await database.rows({
      text: 'SELECT svc_park_effect($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)',
      values: [owner, id, dueAt, error, attempts, version, host, ...recordParameters(record)],
    });
    if (isOurs === 't') await notify(database, 'svc');
    return isOurs === 't';
  },
  release: async (parts, names) => {
    const statement = { text: 'SELECT svc_release_effects($1, $2, $3)', values: [parts, names, version] };
    const chunk = async () => Number((await database.rows(statement))[0]?.[0]) > 0;
    while (await chunkAndRest(chunk, restsOfHosts));
  },
  othersInFlight: async (parts, names) => {
    const rows = await database.rows({ text: inFlightText, values: [owner, parts, names] });
    return rows.map(([name, count, endsInMs]) => ({
      name: name ?? '',
      count: Number(count),
      endsInMs: Number(endsInMs),
    }));
  },
});

/** What waits for its next attempt has no owner. */
const inFlightText = `SELECT name, count(*), extract(epoch FROM max(due_at) - statement_timestamp()) * 1000 FROM svc_timers
  WHERE kind = 'effect' AND NOT parked AND part = ANY($2::int[]) AND name = ANY($3::text[])
    AND claimed_by <> $1 AND due_at > statement_timestamp() GROUP BY name`;

async function claim(
  database: Pick<Database, 'rows'>,
  owner: Uuid,
  { parts, names, reach, lanes, suspect, forMs }: ClaimRequest,
): Promise<ClaimAnswer> {
  const rows = await database.rows({
    name: 'svc_claim_effects',
    text: 'SELECT * FROM svc_claim_effects($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)',
    values: [
      ...[owner, parts, reach, names.map(({ name }) => name), names.map(({ hand }) => hand)],
      ...[names.map(({ room }) => room), names.map(({ each }) => each)],
      ...[JSON.stringify(Object.fromEntries(lanes)), suspect, forMs],
    ],
  });
  const [[handsText, next = null, ids = '{}'] = []] = rows;
  const ends = JSON.parse(handsText ?? '[]') as readonly string[];
  const claimed =
    ids === '{}'
      ? []
      : await database.rows({ name: 'svc_claimed_effects', text: claimedText, values: [owner, ids] });
  return {
    effects: claimed.map(claimedOf),
    hands: new Map(names.map(({ name }, index) => [name, ends[index] ?? ''])),
    nextInMs: next === null ? undefined : Number(next),
  };
}

/** Without a lock; one that was cancelled or replaced since is not there any more. */
const claimedText = `SELECT id, name, key, lane, attempts, claims, due_at, set_at, extract(epoch FROM statement_timestamp() - set_at) * 1000,
    data, context, progress
  FROM svc_timers WHERE id = ANY($2::uuid[]) AND kind = 'effect' AND claimed_by = $1 AND NOT parked
    AND due_at > statement_timestamp()`;

function claimedOf(row: Row): ClaimedEffect {
  const [id, name, key, lane, attempts, claims, due, set, age, data, context, progress] = row;
  return {
    id: id ?? '',
    name: name ?? '',
    key: key ?? '',
    lane: lane ?? '',
    attempts: Number(attempts),
    claims: Number(claims),
    dueAt: timestampOf(due),
    askedAt: timestampOf(set),
    ageMs: Number(age),
    data: JSON.parse(data ?? 'null'),
    context: JSON.parse(context ?? 'null'),
    progress: typeof progress === 'string' ? JSON.parse(progress) : undefined,
  };
}

const columnsOf = (claims: readonly HeldClaim[]): readonly [unknown[], unknown[]] => [
  claims.map(({ id }) => id),
  claims.map(({ dueAt }) => dueAt ?? null),
];
