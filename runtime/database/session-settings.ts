import type { ClientBase } from 'pg';
import { Problem } from '../../contracts/problems.js';

interface SessionSettings {
  /** The role every connection takes. */
  readonly role?: string;
  readonly statementTimeoutMs: number;
}

/** Commits mean what they say, and a warning about one is sent, whatever the server, the database or the role prefer. */
const durable = {
  synchronous_commit: 'on',
  client_min_messages: 'warning',
  default_transaction_isolation: 'read committed',
};

/** A host that vanishes without a word keeps its session locks until the server notices: within about 11 s. */
const keepalives = {
  tcp_keepalives_idle: '5',
  tcp_keepalives_interval: '2',
  tcp_keepalives_count: '3',
  tcp_user_timeout: '10000',
};

/** The last one counts: readers rely on UTC and on ISO dates, whatever the URL says. */
export function startupOptions(
  given: readonly string[],
  { role, statementTimeoutMs }: SessionSettings,
): string {
  const own = Object.entries({
    TimeZone: 'UTC',
    DateStyle: 'ISO',
    statement_timeout: String(statementTimeoutMs),
    ...durable,
    ...keepalives,
    ...(role === undefined ? {} : { role }),
  });
  return [...given, ...own.map(([name, value]) => `-c ${name}=${value.replaceAll(' ', '\\ ')}`)].join(' ');
}

/** A proxy may drop the startup options without a word; then neither role nor timeouts would hold. */
export async function mustHaveSettings(client: ClientBase, wanted: SessionSettings): Promise<void> {
  const { rows } = await client.query<(string | null)[]>({
    text: settingsQuery,
    rowMode: 'array',
    types: asText,
  });
  const [user, sessionUser, zone, timeoutMs, encoding, ...durableValues] = rows[0] ?? [];
  if (encoding !== 'UTF8') throw wrongEncoding(encoding ?? 'unknown');
  const expected: Readonly<Record<string, readonly [unknown, unknown]>> = {
    role: [user, wanted.role ?? sessionUser],
    TimeZone: [zone, 'UTC'],
    statement_timeout: [timeoutMs, String(wanted.statementTimeoutMs)],
    ...Object.fromEntries(
      Object.entries(durable).map(([name, value], n) => [name, [durableValues[n], value]]),
    ),
  };
  const dropped = Object.entries(expected).filter(([, [found, wish]]) => found !== wish);
  if (dropped.length === 0) return;
  throw new Problem('invalid-setup', {
    detail:
      `A proxy before PostgreSQL drops what our connections ask for (${dropped.map(([name]) => name).join(', ')}); ` +
      'connect to the server itself, or to a proxy in session mode that passes startup options.',
  });
}

/** For connections that the application opened: what a commit relies on is set all the same. */
export async function makeDurable(client: ClientBase): Promise<void> {
  const sets = Object.entries(durable).map(([name, value]) => `SET ${name} = '${value}'`);
  await client.query(sets.join('; '));
}

const asText = { getTypeParser: () => (value: string) => value };

const settingsQuery = `SELECT current_user, session_user, current_setting('TimeZone'),
  (extract(epoch FROM current_setting('statement_timeout')::interval) * 1000)::bigint, getdatabaseencoding(),
  ${Object.keys(durable)
    .map((name) => `current_setting('${name}')`)
    .join(', ')}`;

const wrongEncoding = (encoding: string): Problem =>
  new Problem('invalid-setup', {
    detail: `The database is encoded as ${encoding}, in which not every text can be stored; create one with ENCODING 'UTF8' TEMPLATE template0 and point DATABASE_URL at it.`,
  });
