import type { SealedEvent, Sealing } from '../../contracts/sealing.js';
import type { Long } from '../../contracts/scalars.js';
import type { Database, Row } from '../database/database.js';
import { historyProblemOf } from '../database/sql-error.js';
import { nowText } from '../lang/now-text.js';
import { timestampOf } from '../store/stored-rows.js';
import { headerLine } from './event-file.js';

interface ExportOptions {
  /** Opens what is encrypted for subjects; without it, that stays as it is. */
  readonly sealing?: Pick<Sealing, 'open'> | undefined;
  readonly progress?: (done: Long, head: Long) => void;
}

const pageSize = 2_000;

/** The domain events of a store up to its present head, as the lines of a file, page by page. Received events are not its own. */
export async function* exportEvents(
  database: Pick<Database, 'rows'>,
  { sealing, progress }: ExportOptions = {},
): AsyncGenerator<string> {
  const [[store, last] = []] = await database.rows({ text: 'SELECT id, svc_head() FROM svc_store' });
  const head = Number(last);
  yield `${headerLine({ store: store ?? '', head, exportedAt: nowText() })}\n`;
  // What is stored does not change, so the pages up to the head are a snapshot.
  for (let after = 0; ;) {
    const rows = await database
      .rows({ text: pageText, values: [after, head, pageSize], isFollower: true })
      .catch((error: unknown) => {
        throw historyProblemOf(error) ?? error;
      });
    if (rows.length === 0) return;
    after = Number(rows.at(-1)?.[0]);
    const lines: string[] = [];
    for (const row of rows) lines.push(eventLine(row, await bodyOf(row, sealing)));
    yield `${lines.join('\n')}\n`;
    progress?.(after, head);
  }
}

const pageText = `SELECT global_position, stream_id, stream_position, event_id, event_type, occurred_at, recorded_at, host, metadata, data
  FROM svc_events WHERE origin = 0 AND global_position > $1::bigint AND global_position <= $2::bigint
    AND (SELECT svc_must_hold($1::bigint, NULL)) ORDER BY global_position LIMIT $3::int`;

interface Body {
  readonly metadata: string;
  readonly data: string;
}

function eventLine(row: Row, { metadata, data }: Body): string {
  const [global, streamId, position, eventId, eventType, occurred, recorded, host] = row;
  const head = JSON.stringify({
    globalPosition: Number(global),
    streamId,
    streamPosition: Number(position),
    eventId,
    eventType,
    occurredAt: timestampOf(occurred),
    recordedAt: timestampOf(recorded),
    host,
  });
  return `${head.slice(0, -1)},"metadata":${metadata},"data":${data}}`;
}

async function bodyOf(row: Row, sealing: ExportOptions['sealing']): Promise<Body> {
  const [, , , messageId, messageType, , , , metadata = '{}', data = '{}'] = row as readonly string[];
  const isSealed = metadata.includes('"sealed"') && sealing !== undefined;
  // The text is kept as it is where it can be; its line breaks are between values.
  if (!isSealed && !metadata.includes('"salt"'))
    return { metadata: onOneLine(metadata), data: onOneLine(data) };
  // With the salt, values that an audit hides could be guessed.
  const { salt: _, sealed, ...shown } = JSON.parse(metadata) as Readonly<Record<string, unknown>>;
  if (!isSealed) return { metadata: JSON.stringify({ ...shown, sealed }), data: onOneLine(data) };
  const event = {
    messageId,
    messageType,
    payload: JSON.parse(data) as unknown,
    sealed,
  } as SealedEvent['event'];
  const [opened] = await sealing.open([{ event }]);
  if (opened === undefined || 'fault' in opened) throw opened?.fault;
  return { metadata: JSON.stringify(shown), data: JSON.stringify(opened.payload) };
}

const onOneLine = (json: string): string => json.replaceAll(/[\r\n]/g, ' ');
