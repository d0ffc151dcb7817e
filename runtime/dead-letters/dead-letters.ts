import type { StoredEvent } from '../../contracts/event-store.js';
import type { Long } from '../../contracts/scalars.js';
import { type OperatorCall, recordedAction } from '../store/operator-action.js';
import { decodeMessage } from '../envelope/message-format.js';
import type { Database } from '../database/database.js';
import { readWithoutNulls } from '../database/read-objects.js';
import { eventColumns, storedEventOf, systemColumns } from '../store/stored-rows.js';

/** A message that was rejected too often, or that was received and could not be accepted, as operators see it. */
export interface DeadLetter {
  readonly id: number;
  /** `outbox`: this store could not publish it. `inbox`: it was received from another store. */
  readonly source: 'outbox' | 'inbox';
  readonly messageId: string;
  readonly messageType: string;
  readonly destination: string;
  readonly attempts: number;
  readonly lastError: string;
  readonly fingerprint: string;
  readonly deadAt: string;
  /** `replaying` until the relay has published it again. */
  readonly state: 'dead' | 'replaying' | 'replayed' | 'discarded';
  readonly resolvedAt?: string;
  readonly resolvedBy?: string;
  readonly reason?: string;
}

export interface ShownDeadLetter extends DeadLetter {
  /** Undefined when the body of a received message cannot be read, or is not kept. */
  readonly message: unknown;
  /** The headers of a received message. They and its body are kept until it is replayed or discarded. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly bytes?: number;
  /** Smaller than `bytes` when the body was truncated. */
  readonly bytesKept?: number;
}

const columns = `id, follower AS source, coalesce(message_id::text, '') AS "messageId", message_type AS "messageType", destination,
  attempts, error AS "lastError", fingerprint, svc_iso_time(since) AS "deadAt",
  CASE state WHEN 'parked' THEN 'dead' WHEN 'retrying' THEN 'replaying' ELSE state END AS state,
  svc_iso_time(resolved_at) AS "resolvedAt", resolved_by AS "resolvedBy", reason`;

/** Dead letters that wait for a decision or for the relay, oldest first. */
export const listDeadLetters = (database: Database): Promise<readonly DeadLetter[]> =>
  readWithoutNulls(database, {
    text: `SELECT ${columns} FROM svc_stuck_work w WHERE id IS NOT NULL AND w.state IN ('retrying', 'parked') ORDER BY id`,
  });

interface StoredMessage extends Pick<ShownDeadLetter, 'headers'> {
  readonly position?: Long;
  readonly bytes: number;
  readonly bytesKept: number;
  /** Base64. */
  readonly body?: string;
}

/** One dead letter with its message, in any state. */
export async function showDeadLetter(
  database: Pick<Database, 'rows'>,
  id: number,
): Promise<ShownDeadLetter | undefined> {
  const [row] = await readWithoutNulls<DeadLetter & StoredMessage>(database, {
    text: `SELECT ${columns}, position, headers, coalesce(bytes, 0) AS bytes, coalesce(length(body), 0) AS "bytesKept",
        encode(body, 'base64') AS body
      FROM svc_stuck_work WHERE id = $1`,
    values: [id],
  });
  if (row === undefined) return undefined;
  const { position, headers: sent, bytes, bytesKept, body = '', ...letter } = row;
  if (letter.source === 'outbox') return { ...letter, message: await storedAt(database, position) };
  return {
    ...letter,
    ...(sent && { headers: sent }),
    bytes,
    bytesKept,
    message: readable(Buffer.from(body, 'base64'), sent?.['content-type']),
  };
}

async function storedAt(
  database: Pick<Database, 'rows'>,
  position: Long | undefined,
): Promise<StoredEvent | undefined> {
  const [message] = await database.rows({
    text: `SELECT ${eventColumns} FROM svc_events WHERE global_position = $1
      UNION ALL SELECT ${systemColumns} FROM svc_system_events WHERE global_position = $1`,
    values: [position],
  });
  return message === undefined ? undefined : storedEventOf(message);
}

/** Whether it is a received message that is settled: its body and headers are gone. */
export const isErased = ({ source, state }: DeadLetter): boolean =>
  source === 'inbox' && (state === 'replayed' || state === 'discarded');

/** The body as far as JSON can express it. */
function readable(body: Uint8Array, contentType: string | undefined): unknown {
  try {
    return JSON.parse(JSON.stringify(decodeMessage(body, contentType))) as unknown;
  } catch {
    return undefined;
  }
}

const stateAfter = { replay: 'retrying', discard: 'discarded' } as const;

/** What operators do about a dead letter. */
export type Resolution = keyof typeof stateAfter;

/** Returns false when no dead letter with this id can be resolved in this way. */
export const resolveDeadLetter = (call: OperatorCall, id: number, how: Resolution): Promise<boolean> =>
  recordedAction(call.database, call, `dead-letters ${how}`, async (session) => {
    const [row] = await session.rows({
      text: 'SELECT svc_resolve_dead_letters($1, $2, $3, $4)',
      values: [[id], stateAfter[how], call.operator.changedBy, call.reason ?? null],
    });
    const isResolved = row?.[0] !== '{}';
    return { result: isResolved, targets: isResolved ? [String(id)] : [] };
  });

/** Selects dead letters by kind, or by a text in their error. */
export type DeadLetterSelection = { readonly fingerprint: string } | { readonly error: string };

export const selectionText = (kind: DeadLetterSelection): string =>
  'fingerprint' in kind ? `fingerprint ${kind.fingerprint}` : `error '${kind.error.slice(0, 200)}'`;

export interface BulkReplay {
  readonly replaying: number;
  /** These stay dead: their bodies were truncated. */
  readonly cut: number;
}

/** Lets running hosts publish or handle all matching unresolved dead letters again. */
export const replayDeadLetters = (call: OperatorCall, kind: DeadLetterSelection): Promise<BulkReplay> =>
  recordedAction(call.database, call, 'dead-letters replay', async (session) => {
    const [row] = await session.rows({
      text: `SELECT cardinality(svc_resolve_dead_letters(array_agg(id), 'retrying', $3, NULL)),
          count(*) FILTER (WHERE bytes > length(body))
        FROM svc_stuck_work WHERE id IS NOT NULL AND state = 'parked' AND (fingerprint = $1 OR strpos(error, $2) > 0)`,
      values: [
        'fingerprint' in kind ? kind.fingerprint : null,
        'error' in kind ? kind.error : null,
        call.operator.changedBy,
      ],
    });
    const [replaying, cut] = [Number(row?.[0]), Number(row?.[1])];
    const targets = replaying > 0 ? [`${replaying} with ${selectionText(kind)}`] : [];
    return { result: { replaying, cut }, targets };
  });
