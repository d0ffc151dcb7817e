import type { Uuid } from '../../../contracts/scalars.js';
import { connect } from '../../../runtime/database/connect.js';
import type { SuiteRun } from '../harness/suite.js';

/** Commands with one event each, as the store holds them: the event and the audits of event and command. */
interface Commands {
  readonly count: number;
  /** How many of these there are, whatever the count. */
  readonly rare: number;
  readonly users: number;
  readonly eventsPerStream: number;
}

export const commandsOf = (count: number): Commands => ({
  count,
  rare: 5,
  users: 1_000,
  eventsPerStream: 40,
});

export const rareType = 'FlagChanged';

export const userOf = (n: number, { users }: Commands): string => `user-${n % users}`;

/** Streams are interleaved: the events of one are far apart. */
export const streamOf = (n: number, commands: Commands): Uuid =>
  `01900000-0000-7000-9000-${hex(n % streamsOf(commands), 12)}`;

export const correlationOf = (n: number): string => hex(n, 32);

const streamsOf = ({ count, eventsPerStream }: Commands): number => Math.ceil(count / eventsPerStream);

const hex = (n: number, digits: number): string => n.toString(16).padStart(digits, '0');

const atOnce = 10_000;

/** Stores them with the function that commits use, so that positions and chain are real; the bodies are made there. */
export async function storeCommands(
  url: string,
  commands: Commands,
  { signal, printProgress }: Pick<SuiteRun, 'signal' | 'printProgress'>,
): Promise<void> {
  const client = await connect(url);
  try {
    for (let from = 0; from < commands.count; from += atOnce) {
      signal.throwIfAborted();
      await client.query(batchText(commands, from, Math.min(commands.count, from + atOnce)));
      if (from > 0 && from % 500_000 === 0) printProgress(`growth: ${from} of ${commands.count} commands`);
    }
  } finally {
    await client.end();
  }
}

/** From is the first command, counted from 0. */
function batchText(commands: Commands, from: number, to: number): string {
  const { count, rare, users } = commands;
  const streams = streamsOf(commands);
  const firstRare = Math.max(1, Math.floor(count / rare));
  return `DO $$
DECLARE s uuid[]; e record; audits record;
BEGIN
  SELECT array_agg(('01900000-0000-7000-9000-' || lpad(to_hex(v), 12, '0'))::uuid ORDER BY v) INTO s
    FROM (SELECT DISTINCT n % ${streams} AS v FROM generate_series(${from}, ${to - 1}) n) d;
  SELECT array_agg(r.place::int ORDER BY r.n) AS places,
      array_agg(('01900000-0000-7000-a000-' || lpad(to_hex(r.n), 12, '0'))::uuid ORDER BY r.n) AS ids,
      array_agg('OrderCreated'::text ORDER BY r.n) AS types,
      array_agg(json_build_object('orderId', r.stream, 'number', r.n, 'note', repeat('x', 200)) ORDER BY r.n) AS bodies,
      array_agg(json_build_object('correlationId', r.trace, 'scope', json_build_object('userId', r.person, 'tenantId', 'north'), 'v', 1) ORDER BY r.n) AS metas
    INTO e FROM (${rowsText(streams, users, from, to)}) r;
  SELECT array_agg(('01900000-0000-7000-' || a.kind || '000-' || lpad(to_hex(r.n), 12, '0'))::uuid ORDER BY r.n, a.kind) AS ids,
      array_agg(CASE WHEN a.kind = '8' THEN 'EventAudited' WHEN r.n % ${firstRare} = ${firstRare - 1} THEN '${rareType}' ELSE 'CommandAudited' END
        ORDER BY r.n, a.kind) AS types,
      array_agg(CASE WHEN a.kind = '8' THEN json_build_object('originalEventType', 'OrderCreated', 'originalStreamId', r.stream,
          'originalBody', json_build_object('orderId', r.stream, 'number', r.n, 'note', repeat('x', 200)), 'userId', r.person, 'tenantId', 'north',
          'correlationId', r.trace)
        ELSE json_build_object('commandType', 'CreateOrder', 'commandBody', json_build_object('number', r.n, 'note', repeat('x', 200)),
          'userId', r.person, 'tenantId', 'north', 'correlationId', r.trace, 'receptorName', 'CreateOrderReceptor') END::text ORDER BY r.n, a.kind) AS bodies,
      array_agg('{"v":1}'::text) AS metas, array_agg(false) AS published,
      array_agg(CASE WHEN a.kind = '8' THEN (r.n - ${from} + 1)::int ELSE 0 END ORDER BY r.n, a.kind) AS about
    INTO audits FROM (${rowsText(streams, users, from, to)}) r CROSS JOIN (VALUES ('8'), ('9')) a(kind);
  PERFORM svc_append('01900000-0000-7000-8000-000000000000', ${from + 1}, 'fill', s, '{0}', ARRAY[${to - from}], ARRAY[${2 * (to - from)}],
    '{}', '{}', '{}', '{}', '{}', '{}', e.places, e.ids, e.types, e.bodies, e.metas, '{}',
    audits.ids, audits.types, audits.bodies, audits.metas, audits.published, audits.about, NULL);
END $$`;
}

/** `place`: of the stream among those of the batch. */
const rowsText = (streams: number, users: number, from: number, to: number): string => `
  SELECT n, dense_rank() OVER (ORDER BY n % ${streams}) AS place, '01900000-0000-7000-9000-' || lpad(to_hex(n % ${streams}), 12, '0') AS stream,
    lpad(to_hex(n), 32, '0') AS trace, 'user-' || n % ${users} AS person FROM generate_series(${from}, ${to - 1}) n`;
