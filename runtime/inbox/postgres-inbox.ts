import { createHash } from 'node:crypto';
import { Problem } from '../../contracts/problems.js';
import type { Uuid } from '../../contracts/scalars.js';
import type { InboundMessage } from '../../contracts/transport.js';
import type { Database, Row } from '../database/database.js';
import { functionCalls } from '../database/function-calls.js';
import { sqlFailureOf } from '../database/sql-error.js';
import { storableStart } from '../lang/storable-text.js';
import { bigints, booleans, bytes, ints, jsons, texts, uuids } from '../store/binary-arrays.js';
import {
  type BrokerStream,
  type Inbox,
  type InboxLease,
  type StoreResult,
  type DeadLetterResult,
  type EpochGroup,
  type EpochResult,
  LeaseLost,
  type ReceivedDeadLetter,
  type HeadResult,
  type ReceivedEvent,
  type ReceivedHead,
  type ReceivedRecord,
  type ReceivedReplay,
} from './inbox.js';
import { mustBeHeld, storeTrustCalls } from './store-trust-calls.js';
import { maxMessageBytes } from './read-envelope.js';
import { notify } from '../database/notify.js';

const statuses: readonly StoreResult[] = [
  'stored',
  'duplicate',
  'place-taken',
  'in-the-future',
  'too-many-stores',
];

const epochResults: readonly ((fork: number, heldTo: number) => EpochResult)[] = [
  () => ({ is: 'current' }),
  (fork, heldTo) => ({ is: 'held', fork, heldTo, isFresh: false }),
  (fork, heldTo) => ({ is: 'held', fork, heldTo, isFresh: true }),
  (fork) => ({ is: 'earlier', fork }),
  () => ({ is: 'unknown' }),
];

const deadLetterResults: readonly DeadLetterResult[] = ['kept', 'known', 'full', 'dropped'];

const headResults: readonly HeadResult[] = ['kept', 'differs', 'older', 'contradicts', 'forged', 'unknown'];
/** One question per turn of the subscriber. */
const leaseText = `SELECT held, remaining_ms,
    EXISTS (SELECT 1 FROM svc_stuck_work WHERE follower = 'inbox' AND state = 'retrying' AND id IS NOT NULL),
    (SELECT coalesce(sum(rereads), 0) FROM svc_origins), (SELECT streams FROM svc_broker)
  FROM svc_take_lease('inbox', $1, $2)`;

const maxReplays = 50;
const replaysText = `SELECT id, destination, headers, encode(body, 'base64'), replays
  FROM svc_inbox_replays($1, ${maxReplays}) ORDER BY id`;

/** `owner` identifies one subscriber, `host` names it in audits. */
export function postgresInbox(database: Pick<Database, 'rows'>, owner: Uuid, host = ''): Inbox {
  const call = functionCalls(database);
  const each = async <T>(meanings: readonly T[], name: string, ...columns: unknown[]): Promise<T[]> => {
    const [answer] = await call(name, owner, ...columns);
    if (typeof answer !== 'string') throw new LeaseLost();
    return parseStatuses(answer, meanings);
  };
  const receive: typeof storeSeparately = (all, store) => announced(database, storeSeparately(all, store));
  return {
    acquireLease: (leaseMs) => acquireLease(database, owner, leaseMs),
    storeEvents: (events, leaseMs) =>
      receive(events, (some) =>
        each(statuses, 'svc_receive', leaseMs, ...eventColumns(some), host, ...auditColumns(some)),
      ),
    storeRecords: (records, leaseMs) =>
      receive(records, (some) => each(statuses, 'svc_receive_system', leaseMs, ...recordColumns(some))),
    noteEpochs: async (groups) =>
      epochResultsOf(await call('svc_receive_epochs', owner, ...groupColumns(groups))),
    storeHead: async (store, head, leaseMs) => {
      const values = headValues(head);
      const [held, result, confirmed] = await call('svc_receive_head', owner, leaseMs, store, ...values);
      if (confirmed === 't') await notify(database, 'svc');
      mustBeHeld(held);
      return headResults[Number(result) - 1] ?? 'unknown';
    },
    storeDeadLetters: (letters) =>
      each(deadLetterResults, 'svc_inbox_dead_letters', ...letterColumns(letters)),
    beginAttempt: async (message) => {
      const [held, begun] = await call('svc_inbox_begin', owner, digestOf(message));
      mustBeHeld(held);
      return Number(begun);
    },
    endAttempt: async (message) => {
      await call('svc_inbox_end', owner, digestOf(message));
    },
    ...storeTrustCalls(database, owner),
    admitStore: async (store, leaseMs) => {
      const [held] = await call('svc_admit_origin', owner, leaseMs, store);
      mustBeHeld(held);
    },
    pendingReplays: async () => (await database.rows({ text: replaysText, values: [owner] })).map(replayOf),
    markReplayed: async (replays) => {
      const ids = bigints(replays.map(({ deadLetterId }) => Number(deadLetterId)));
      await call('svc_resolve_dead_letters', ids, 'replayed', null, null);
    },
    noteStream: async (stream, created) => {
      await call('svc_inbox_stream', owner, stream, created);
    },
  };
}

async function acquireLease(
  database: Pick<Database, 'rows'>,
  owner: Uuid,
  leaseMs: number,
): Promise<InboxLease> {
  const [[held, remainingMs, replays, rereads, streams] = []] = await database.rows({
    name: 'svc_inbox_lease',
    text: leaseText,
    values: [owner, leaseMs],
    isAcknowledged: true,
  });
  const granted = { remainingMs: Number(remainingMs) };
  if (held !== 't') return { held: false, ...granted };
  const known = JSON.parse(streams ?? '{}') as Partial<Record<BrokerStream, string>>;
  return { held: true, ...granted, hasReplays: replays === 't', rereads: Number(rereads), streams: known };
}

function epochResultsOf([status, ...rest]: Row): readonly EpochResult[] {
  if (typeof status !== 'string') throw new LeaseLost();
  const [forks, seen] = rest.map((list) => (list ?? '').slice(1, -1).split(',').map(Number));
  return parseStatuses(status, epochResults).map((result, n) => result(forks?.[n] ?? 0, seen?.[n] ?? 0));
}

type Stored = readonly StoreResult[];

async function announced(database: Pick<Database, 'rows'>, storing: Promise<Stored>): Promise<Stored> {
  const results = await storing;
  if (results.includes('stored')) await notify(database, 'svc');
  return results;
}

/** A message that the server can never store must not block the others: on such an error each is stored alone. */
async function storeSeparately<T>(
  all: readonly T[],
  store: (some: readonly T[]) => Promise<Stored>,
): Promise<Stored> {
  try {
    return await store(all);
  } catch (error) {
    if (!['data', 'taken'].includes(sqlFailureOf(error))) throw error;
    if (all.length === 1) return [{ refused: error }];
  }
  const results: StoreResult[] = [];
  for (const one of all) results.push(...(await storeSeparately([one], store)));
  return results;
}

const parseStatuses = <T>(answer: string, meanings: readonly T[]): T[] =>
  answer
    .slice(1, -1)
    .split(',')
    .map((status) => {
      const meaning = meanings[Number(status) - 1];
      if (meaning === undefined) throw new Problem('unexpected', { detail: `Unknown status ${status}.` });
      return meaning;
    });

const digestOf = ({ subject, body }: Pick<InboundMessage, 'subject' | 'body'>): Buffer =>
  createHash('sha256').update(subject).update('\0').update(body).digest();

const groupColumns = (groups: readonly EpochGroup[]): unknown[] => [
  uuids(groups.map(({ store }) => store)),
  ints(groups.map(({ epoch }) => epoch)),
  bigints(groups.map(({ position }) => position)),
  texts(groups.map(({ forks }) => forks)),
  bytes(groups.map(({ signed }) => (signed === undefined ? null : Buffer.from(signed.publicKey, 'hex')))),
  bigints(groups.map(({ signed }) => signed?.publishedTo ?? 0)),
];

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
  texts(events.map(({ recordedAt }) => recordedAt)),
];

const auditColumns = (events: readonly ReceivedEvent[]): unknown[] => [
  uuids(events.map(({ audit }) => audit?.id ?? null)),
  jsons(events.map(({ audit }) => audit?.data ?? null)),
  jsons(events.map(({ audit }) => audit?.metadata ?? null)),
  booleans(events.map(({ audit }) => audit?.publish ?? false)),
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
  bigints(records.map(({ globalPosition }) => globalPosition)),
];

function headValues({ position, hash, proof }: ReceivedHead): unknown[] {
  const { at, publicKey, signature, history } = proof === 'invalid' ? {} : proof;
  return [
    ...[position, Buffer.from(hash, 'hex'), at, bytesOf(publicKey), bytesOf(signature)],
    ...[history?.epoch, history?.forks, history?.publishedTo],
  ];
}

const bytesOf = (hex: string | undefined): Buffer | undefined =>
  hex === undefined ? undefined : Buffer.from(hex, 'hex');

const letterColumns = (letters: readonly ReceivedDeadLetter[]): unknown[] => [
  uuids(letters.map(({ messageId }) => messageId ?? null)),
  texts(letters.map(({ messageType }) => truncate(messageType))),
  texts(letters.map(({ subject }) => truncate(subject))),
  texts(letters.map(({ error }) => error)),
  texts(letters.map(({ fingerprint }) => fingerprint)),
  jsons(letters.map(({ headers }) => headersText(headers))),
  bytes(letters.map(({ body }) => body.subarray(0, maxMessageBytes))),
  ints(letters.map(({ body }) => body.length)),
  bytes(letters.map(({ body }) => createHash('sha256').update(body).digest())),
  texts(letters.map(({ tenant }) => (tenant === undefined ? null : truncate(tenant)))),
  texts(letters.map(({ doubt }) => doubt ?? null)),
];

const maxTextLength = 500;
const truncate = (text: string): string => storableStart(text, maxTextLength);

const headersText = (headers: Readonly<Record<string, string>>): string =>
  JSON.stringify(Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, truncate(value)])));

function replayOf([id, subject, headers, body, replays]: Row): ReceivedReplay {
  return {
    deadLetterId: id ?? '',
    subject: subject ?? '',
    headers: JSON.parse(headers ?? '{}') as Record<string, string>,
    body: Buffer.from(body ?? '', 'base64'),
    unanswered: Number(replays) - 1,
  };
}
