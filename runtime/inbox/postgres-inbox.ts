import { createHash } from 'node:crypto';
import type { Uuid } from '../../contracts/scalars.js';
import type { Database, Row } from '../database/database.js';
import { sqlFailureOf } from '../database/sql-error.js';
import { bigints, booleans, bytes, jsons, texts, uuids } from '../store/arrays.js';
import type {
  Inbox,
  Kept,
  Lost,
  ReceivedDeadLetter,
  ReceivedEvent,
  ReceivedRecord,
  ReceivedReplay,
} from './inbox.js';
import { longestMessage } from './read-envelope.js';

const statuses: readonly Kept[] = ['stored', 'duplicate', 'place-taken', 'in-the-future', 'too-many-stores'];

const replaysText = `SELECT id, destination, headers, encode(body, 'base64')
  FROM svc_dead_letter_records WHERE state = 'replaying' AND source = 'inbox' ORDER BY id LIMIT 20`;

/** `owner` is one subscriber's own. */
export function postgresInbox(database: Pick<Database, 'rows'>, owner: Uuid): Inbox {
  const call = async (name: string, ...values: unknown[]): Promise<Row> => {
    const text = `SELECT * FROM ${name}(${values.map((_, index) => `$${index + 1}`).join(', ')})`;
    const [row = []] = await database.rows({ name, text, values, isAcknowledged: true });
    return row;
  };
  const keep = async (name: string, leaseMs: number, columns: unknown[]): Promise<readonly Kept[] | Lost> => {
    const [answer] = await call(name, owner, leaseMs, ...columns);
    return typeof answer === 'string' ? keptBy(answer) : 'lost';
  };
  return {
    turn: async (leaseMs) => {
      const [held, remainingMs, replays] = await call('svc_inbox_turn', owner, leaseMs);
      if (held !== 't') return { held: false, remainingMs: Number(remainingMs) };
      return { held: true, replays: replays === 't' };
    },
    keepEvents: (events, leaseMs) =>
      apart(events, (some) => keep('svc_receive', leaseMs, eventColumns(some))),
    keepRecords: (records, leaseMs) =>
      apart(records, (some) => keep('svc_receive_system', leaseMs, recordColumns(some))),
    keepHead: async (store, { position, hash }, leaseMs) => {
      const head = [store, position, Buffer.from(hash, 'hex')];
      const [held, differs] = await call('svc_receive_head', owner, leaseMs, ...head);
      if (held !== 't') return 'lost';
      return differs === 't' ? 'differs' : 'kept';
    },
    deadLetter: async (letter) => {
      const [held, id, fresh] = await call('svc_inbox_dead_letter', owner, ...letterColumns(letter));
      if (held !== 't') return 'lost';
      if (typeof id !== 'string') return 'full';
      return fresh === 't' ? 'kept' : 'known';
    },
    replays: async () => (await database.rows({ text: replaysText })).map(replayOf),
    replayed: async ({ deadLetterId }) => {
      await call('svc_resolve_dead_letter', deadLetterId, 'replayed', null, null);
    },
    release: async () => {
      await call('svc_release_lease', 'inbox', owner);
    },
  };
}

/** One message that the server can never store must not keep the others from being stored: then each goes by itself. */
async function apart<T>(
  all: readonly T[],
  keep: (some: readonly T[]) => Promise<readonly Kept[] | Lost>,
): Promise<readonly Kept[] | Lost> {
  try {
    return await keep(all);
  } catch (error) {
    if (!['data', 'taken'].includes(sqlFailureOf(error))) throw error;
    if (all.length === 1) return [{ refused: error }];
  }
  const kept: Kept[] = [];
  for (const one of all) {
    const answer = await apart([one], keep);
    if (answer === 'lost') return answer;
    kept.push(...answer);
  }
  return kept;
}

const keptBy = (answer: string): Kept[] =>
  answer
    .slice(1, -1)
    .split(',')
    .map((status) => statuses[Number(status) - 1] ?? 'duplicate');

const eventColumns = (events: readonly ReceivedEvent[]): unknown[] => [
  uuids(events.map(({ store }) => store)),
  uuids(events.map(({ streamId }) => streamId)),
  bigints(events.map(({ streamPosition }) => streamPosition)),
  uuids(events.map(({ id }) => id)),
  texts(events.map(({ type }) => type)),
  jsons(events.map(({ data }) => data)),
  jsons(events.map(({ metadata }) => metadata)),
  texts(events.map(({ host }) => host)),
  texts(events.map(({ occurredAt }) => occurredAt)),
];

const recordColumns = (records: readonly ReceivedRecord[]): unknown[] => [
  uuids(records.map(({ store }) => store)),
  bigints(records.map(({ streamPosition }) => streamPosition)),
  uuids(records.map(({ id }) => id)),
  texts(records.map(({ type }) => type)),
  jsons(records.map(({ data }) => data)),
  jsons(records.map(({ metadata }) => metadata)),
  bigints(records.map(({ originalPosition }) => originalPosition)),
  booleans(records.map(({ omitted }) => omitted)),
  bytes(records.map(({ digest }) => digest)),
  bytes(records.map(({ hash }) => hash)),
  texts(records.map(({ host }) => host)),
  texts(records.map(({ recordedAt }) => recordedAt)),
];

const letterColumns = (letter: ReceivedDeadLetter): unknown[] => [
  letter.messageId ?? null,
  cut(letter.messageType),
  cut(letter.subject),
  letter.error,
  letter.fingerprint,
  headersText(letter.headers),
  Buffer.from(letter.body.subarray(0, longestMessage)),
  letter.body.length,
  createHash('sha256').update(letter.body).digest(),
];

const longestText = 500;
/** PostgreSQL has no place for U+0000 in a text. */
const cut = (text: string): string => text.replaceAll('\0', '').slice(0, longestText);

const headersText = (headers: Readonly<Record<string, string>>): string =>
  JSON.stringify(Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, cut(value)])));

function replayOf([id, subject, headers, body]: Row): ReceivedReplay {
  return {
    deadLetterId: id ?? '',
    subject: subject ?? '',
    headers: JSON.parse(headers ?? '{}') as Record<string, string>,
    body: Buffer.from(body ?? '', 'base64'),
  };
}
