import type { ChainLink } from '../../contracts/event-store.js';
import type { Envelope } from '../../contracts/message.js';
import type { Uuid } from '../../contracts/scalars.js';
import type { Database, Row } from '../database/database.js';
import { functionCalls } from '../database/function-calls.js';
import { receivedMetadataOf } from '../envelope/stored-metadata.js';
import { columnCount, eventColumns, storedEventOf, systemColumns } from '../store/stored-rows.js';
import { traceparentFrom } from '../tracing/traceparent.js';
import { epochAt, lastEpochs } from '../trust/epoch-headers.js';
import { destinationOf } from '../transport/subjects.js';
import type { Outbox, PendingMessage } from './outbox.js';

const metadataColumn = 6;
const originalColumn = 10;

/** The columns of a stored event end here; those of the outbox follow. */
const firstOwnColumn = columnCount + 2;

const isMarked = '(publish OR global_position <= (SELECT b.republish_to FROM svc_broker b))';
const marked = (where: string): string => `
    (SELECT ${eventColumns}, NULL::bytea AS hash, NULL::bytea AS digest FROM svc_events WHERE origin = 0 AND publish AND ${where})
    UNION ALL (SELECT ${systemColumns}, hash, digest FROM svc_system_events
      WHERE ${isMarked} AND ${where})`;

// A range has no more rows than positions; the limit lets the planner know before it has statistics.
const range =
  'global_position > $1::bigint AND global_position <= $2::bigint ORDER BY global_position LIMIT $2::bigint - $1::bigint';

const pageText = `SELECT m.*, w.attempts, greatest(0, extract(epoch FROM w.next_attempt_at - clock_timestamp()) * 1000), ${lastEpochs}
  FROM (${marked(range)}) m
  LEFT JOIN svc_stuck_work w ON w.follower = 'outbox' AND w.key = m.global_position::text AND w.state <> 'replayed'
  WHERE w.id IS NULL
  ORDER BY m.global_position`;

const replaysText = `SELECT m.*, w.attempts, 0, ${lastEpochs}, w.id
  FROM (SELECT id, position, attempts FROM svc_stuck_work
    WHERE follower = 'outbox' AND state = 'retrying' AND id IS NOT NULL ORDER BY id LIMIT 100) w
  JOIN LATERAL (${marked('global_position = w.position')}) m ON true ORDER BY w.id`;

const importedText = `SELECT least(r.high, (SELECT min(v.global_position) - 1 FROM svc_system_events v
    WHERE ${isMarked} AND v.global_position > $1::bigint AND v.global_position <= r.high))
  FROM svc_imported_to($1::bigint, false) r(high) WHERE r.high IS NOT NULL`;

/** `owner` identifies one relay; `store` is sent with every message. */
export function postgresOutbox(database: Database, owner: Uuid, store: Uuid): Outbox {
  const call = functionCalls(database);
  const succeeds = async (name: string, ...values: unknown[]): Promise<boolean> =>
    (await call(name, ...values))[0] === 't';
  return {
    acquireLease: async (leaseMs) => {
      const [held, position, remainingMs, head, replays] = await call('svc_outbox_turn', owner, leaseMs);
      if (held !== 't') return { held: false, remainingMs: Number(remainingMs) };
      return {
        held: true,
        remainingMs: Number(remainingMs),
        position: Number(position),
        head: Number(head),
        hasReplays: replays === 't',
      };
    },
    page: async (from, to) => {
      // Not prepared: a plan from the time when the log was short would scan all of it forever.
      const rows = await database.rows({ text: pageText, values: [from, to], isFollower: true });
      return rows.map((row) => pendingOf(row, store));
    },
    importedTo: async (from) => {
      const [row] = await database.rows({ text: importedText, values: [from], isFollower: true });
      return Number(row?.[0] ?? from);
    },
    advance: (from, to, leaseMs) => succeeds('svc_advance_outbox', owner, from, to, leaseMs),
    recordRejection: ({ position }, { error }, retryInMs) =>
      succeeds('svc_outbox_refused', owner, position, error, retryInMs),
    deadLetter: async ({ position }, { attempts, error, fingerprint }) => {
      const [id] = await call('svc_outbox_dead_letter', owner, position, attempts, error, fingerprint);
      return typeof id === 'string';
    },
    pendingReplays: async () => {
      const rows = await database.rows({ text: replaysText });
      return rows.map((row) => ({ ...pendingOf(row, store), deadLetterId: row[firstOwnColumn + 3] ?? '' }));
    },
    markReplayed: async ({ deadLetterId }) => {
      const [resolved] = await call('svc_resolve_dead_letters', [deadLetterId], 'replayed', null, null);
      return resolved !== '{}';
    },
  };
}

function pendingOf(row: Row, store: Uuid): PendingMessage {
  const stored = storedEventOf(row);
  // The same for every attempt.
  const traceparent = stored.traceparent ?? traceparentFrom(stored.messageId);
  const { sealed: _, ...sent } = stored;
  const message = { ...sent, traceparent, store };
  const envelope = { ...message, ...chainOf(row, message) };
  return {
    id: envelope.messageId,
    destination: destinationOf(envelope),
    envelope,
    position: envelope.globalPosition,
    attempts: Number(row[firstOwnColumn] ?? 0),
    dueInMs: Number(row[firstOwnColumn + 1] ?? 0),
    epoch: epochAt(envelope.globalPosition, row[firstOwnColumn + 2] ?? ''),
  };
}

/** PostgreSQL writes bytes as \\x and hexadecimal digits. */
function chainOf(row: Row, message: Envelope): { readonly chain?: ChainLink } {
  const [hash, digest] = row.slice(columnCount);
  if (typeof hash !== 'string' || typeof digest !== 'string') return {};
  const original = row[originalColumn];
  return {
    chain: {
      hash: hash.slice(2),
      digest: digest.slice(2),
      ...(typeof original === 'string' ? { originalPosition: Number(original) } : {}),
      ...unusualMetadata(row[metadataColumn], message),
    },
  };
}

/** Nearly always empty: the receiver can restore the stored text from the message. */
const unusualMetadata = (stored: string | null | undefined, message: Envelope): Pick<ChainLink, 'metadata'> =>
  typeof stored !== 'string' || stored === receivedMetadataOf(message) ? {} : { metadata: stored };
