import type { ClientBase } from 'pg';
import type { Durability } from '../../contracts/durability.js';
import { Problem } from '../../contracts/problems.js';

interface SessionSettings {
  /** The role that every connection assumes. */
  readonly role?: string;
  readonly statementTimeoutMs: number;
  readonly durability?: Durability | undefined;
  readonly isReadOnly?: boolean;
}

/** Commits are durable, and warnings about them are sent, whatever the server, the database or the role set. */
const durable = (durability: Durability = 'local') => ({
  synchronous_commit: durability === 'async' ? 'local' : 'on',
  client_min_messages: 'warning',
  default_transaction_isolation: 'read committed',
  // The commit procedure refuses without a standby where this is set.
  ...(durability === 'sync' ? { 'svc.durability': durability } : {}),
});

/** A host that vanishes keeps its session locks until the server notices: within about 11 s. */
const keepalives = {
  tcp_keepalives_idle: '5',
  tcp_keepalives_interval: '2',
  tcp_keepalives_count: '3',
  tcp_user_timeout: '10000',
};

/** Ours come last and win: readers rely on UTC and ISO dates, whatever the URL sets. */
export function startupOptions(
  given: readonly string[],
  { role, statementTimeoutMs, durability, isReadOnly = false }: SessionSettings,
): string {
  const own = Object.entries({
    TimeZone: 'UTC',
    DateStyle: 'ISO',
    statement_timeout: String(statementTimeoutMs),
    ...durable(durability),
    ...(isReadOnly ? { default_transaction_read_only: 'on' } : {}),
    ...keepalives,
    ...(role === undefined ? {} : { role }),
  });
  return [...given, ...own.map(([name, value]) => `-c ${name}=${value.replaceAll(' ', '\\ ')}`)].join(' ');
}

/** A proxy may silently drop the startup options; then neither the role nor the timeouts would apply. */
export async function mustHaveSettings(client: ClientBase, wanted: SessionSettings): Promise<void> {
  const { rows } = await client.query<(string | null)[]>({
    text: settingsQuery,
    rowMode: 'array',
    types: asText,
  });
  const [serverVersion, user, sessionUser, zone, timeoutMs, encoding, ...durableValues] = rows[0] ?? [];
  mustBeSupported(serverVersion);
  if (encoding !== 'UTF8') throw wrongEncoding(encoding ?? 'unknown');
  const expected: Readonly<Record<string, readonly [unknown, unknown]>> = {
    role: [user, wanted.role ?? sessionUser],
    TimeZone: [zone, 'UTC'],
    statement_timeout: [timeoutMs, String(wanted.statementTimeoutMs)],
    ...Object.fromEntries(
      Object.entries(durable(wanted.durability)).map(([name, value], n) => [name, [durableValues[n], value]]),
    ),
  };
  const dropped = Object.entries(expected).filter(([, [found, wish]]) => found !== wish);
  if (dropped.length === 0) return;
  throw new Problem('invalid-setup', {
    detail:
      `A proxy in front of PostgreSQL drops startup options of our connections (${dropped.map(([name]) => name).join(', ')}); ` +
      `${insteadOfPooler}.`,
  });
}

/** PgBouncer was tried up to 1.26: it passes on only what PostgreSQL reports to its clients, in session mode too. */
export const insteadOfPooler =
  'connect to the server itself, or through a proxy that passes connections on as they are, such as HAProxy (no version of PgBouncer does)';

/** For connections that the service opened: sets what commits rely on. */
export async function makeDurable(client: ClientBase): Promise<void> {
  const { rows } = await client.query<string[]>({
    text: "SELECT current_setting('server_version')",
    rowMode: 'array',
  });
  mustBeSupported(rows[0]?.[0]);
  const sets = Object.entries(durable()).map(([name, value]) => `SET ${name} = '${value}'`);
  await client.query(sets.join('; '));
}

const oldestSupported = 15;

/** Checked before anything else: a migration would end halfway with an error about its SQL. */
function mustBeSupported(version: string | null = ''): void {
  if (!(Number.parseInt(version ?? '', 10) < oldestSupported)) return;
  throw new Problem('invalid-setup', {
    detail: `The server is PostgreSQL ${version}, which is too old; use PostgreSQL ${oldestSupported} or newer.`,
  });
}

const asText = { getTypeParser: () => (value: string) => value };

const settingsQuery = `SELECT current_setting('server_version'), current_user, session_user, current_setting('TimeZone'),
  (extract(epoch FROM current_setting('statement_timeout')::interval) * 1000)::bigint, getdatabaseencoding(),
  ${Object.keys(durable('sync'))
    .map((name) => `current_setting('${name}', true)`)
    .join(', ')}`;

const wrongEncoding = (encoding: string): Problem =>
  new Problem('invalid-setup', {
    detail: `The database is encoded as ${encoding}, which cannot store every text; create one with ENCODING 'UTF8' TEMPLATE template0 and point DATABASE_URL at it.`,
  });
