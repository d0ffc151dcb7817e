import { Pool, type PoolClient } from 'pg';
import type { Durability } from '../../contracts/durability.js';
import { Problem } from '../../contracts/problems.js';
import { copyIn } from './copy-in.js';
import { type CopiedRow, copyBytes, copyOut, type ReadBytes } from './copy-out.js';
import type { BoundValue } from './bind-frame.js';
import { type LeasedClient, PooledClients } from './pooled-clients.js';
import { OpenSockets } from './open-sockets.js';
import { clientsOf, mustAcceptWrites, PrimaryFinder } from './primary-finder.js';
import { preparedCall, type PreparedStatement } from './prepared-call.js';
import { insteadOfPooler, makeDurable, mustHaveSettings, startupOptions } from './session-settings.js';
import { type AcknowledgedRuns, acknowledgedRunsOf } from './second-copy.js';
import { serverUrls } from './server-list.js';
import { endSilent } from './silent-connections.js';
import { historyProblemOf, isTransient, outcomeUnknown, storeUnavailable } from './sql-error.js';
import { warningsOf } from './server-warnings.js';

export interface Statement {
  readonly text: string;
  readonly values?: unknown[];
  /** Prepared once per connection under this name. */
  readonly name?: string;
  /** Its commit is acknowledged to others, so a warning during the statement counts as a failure. */
  readonly isAcknowledged?: boolean;
  /** It waits for a connection until commands, reads and leases have one. */
  readonly isFollower?: boolean;
  /** Ends its wait for a connection. */
  readonly signal?: AbortSignal | undefined;
}

/** A row as PostgreSQL sends it: text, or null. Timestamps are in UTC. */
export type Row = readonly (string | null)[];

/** A connection held for several statements. */
export interface Session {
  rows(statement: Statement): Promise<Row[]>;
  /** A statement that is called repeatedly and returns one row. */
  prepared(statement: PreparedStatement): (values: readonly BoundValue[]) => Promise<Row>;
  /** Runs a binary `COPY … TO STDOUT`, row by row. */
  copyOut(text: string, read: (row: CopiedRow) => void): Promise<void>;
  /** The same, for a reader that knows where the fields are. */
  copyBytes(text: string, read: ReadBytes): Promise<void>;
  /** Runs `COPY … FROM STDIN` with this content. */
  copyIn(text: string, content: Uint8Array): Promise<void>;
  onNotification(listener: (channel: string, payload?: string) => void): void;
  /** Settles when the connection ends for any reason. */
  readonly ended: Promise<void>;
  /** Returns the connection to the pool; a broken one is closed. */
  release(broken?: boolean): void;
}

/** A pool of connections to one database. */
export interface Database {
  rows(statement: Statement): Promise<Row[]>;
  session(): Promise<Session>;
  /** How often a connection was opened or lost: what one server reported may not hold for the one that answers now. */
  readonly changes: number;
  close(): Promise<void>;
}

export interface DatabaseOptions {
  readonly url: string;
  /** The role that every connection assumes. */
  readonly role?: string;
  readonly connections?: number;
  readonly statementTimeoutMs?: number;
  /** Its transactions can change nothing. */
  readonly isReadOnly?: boolean;
  /** What its commits promise; unset: `local`. */
  readonly durability?: Durability;
  readonly applicationName?: string;
  readonly onError?: (error: Error) => void;
  /** Runs on every new connection before its first use; when it fails, the connection is closed. */
  readonly onConnect?: (session: Pick<Session, 'rows'>) => Promise<void>;
}

/** A database whose connections can be cut. */
export interface OpenedDatabase extends Database {
  /** Fails what waits for the server, and whatever is asked later: a server that has fallen silent is not waited for. */
  cut(): void;
}

export function openDatabase(options: DatabaseOptions): OpenedDatabase {
  const { statementTimeoutMs = 15_000, role, durability } = options;
  const { isReadOnly = false } = options;
  const settings = { statementTimeoutMs, durability, isReadOnly, ...(role === undefined ? {} : { role }) };
  const { urls, given } = serversIn(options.url);
  const finder = urls.length > 1 ? new PrimaryFinder(urls) : undefined;
  const sockets = new OpenSockets();
  const pool = new Pool({
    stream: sockets.create,
    connectionString: urls[0],
    ...(finder === undefined ? {} : { Client: clientsOf(finder) }),
    max: options.connections ?? 10,
    // For connecting alone: who waits for a connection does so in our own queue.
    connectionTimeoutMillis: 5_000,
    // A server that stopped responding may be dead: the client times out after the server would have.
    query_timeout: statementTimeoutMs + 5_000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: 5_000,
    application_name: options.applicationName ?? 'svc',
    options: startupOptions(given, settings),
    types: { getTypeParser: () => asText },
  });
  endSilent(pool);
  const initialize = async (client: PoolClient): Promise<void> => {
    if (finder !== undefined && !isReadOnly) await mustAcceptWrites(client, finder);
    await mustHaveSettings(client, settings);
    await options.onConnect?.(rowsOver(client));
  };
  const clients = new PooledClients(pool, initialize, options.onError ?? ignore, finder);
  let ended: Promise<void> | undefined;
  const close = (): Promise<void> => (ended ??= pool.end());
  const cut = (): void => {
    void close();
    sockets.cut();
  };
  return Object.assign(overClients(clients, acknowledgedRunsOf(durability), close), { cut });
}

/** Uses a pool of the service. */
export function overPool(pool: Pool, onConnect?: DatabaseOptions['onConnect']): Database {
  const initialize = async (client: PoolClient): Promise<void> => {
    await makeDurable(client);
    await onConnect?.(rowsOver(client));
  };
  return overClients(new PooledClients(pool, initialize, ignore), acknowledgedRunsOf(), () => pool.end());
}

const rowsOver = (client: PoolClient): Pick<Session, 'rows'> => ({
  rows: async (statement) => (await client.query<string[]>(query(statement))).rows,
});

const ignore = (): void => undefined;

function overClients(clients: PooledClients, runs: AcknowledgedRuns, close: () => Promise<void>): Database {
  return {
    rows: async (statement) => {
      const { isFollower, signal, ...sent } = statement;
      try {
        const { client, release } = await clients.acquire(
          isFollower === true ? 'follower' : 'command',
          signal,
        );
        const rows = await rowsOf(client, sent, runs).catch((error: unknown) => {
          clients.failed(error);
          release(true);
          throw error;
        });
        release();
        return rows;
      } catch (error) {
        throw problemOf(error);
      }
    },
    session: async () => {
      try {
        return sessionOf(await clients.acquire('command'), clients, runs);
      } catch (error) {
        throw problemOf(error);
      }
    },
    get changes() {
      return clients.changes;
    },
    close,
  };
}

async function rowsOf(client: PoolClient, statement: Statement, runs: AcknowledgedRuns): Promise<Row[]> {
  if (statement.isAcknowledged !== true) return (await client.query<string[]>(query(statement))).rows;
  return runs.statement(client, async () => {
    const warnings = warningsOf(client);
    const before = warnings.count;
    const { rows } = await client.query<string[]>(query(statement));
    if (warnings.count > before) throw outcomeUnknown(warnings.last);
    return rows;
  });
}

function sessionOf(leased: LeasedClient, clients: PooledClients, runs: AcknowledgedRuns): Session {
  const { client } = leased;
  const onError = (error: Error): void => clients.lost(error);
  const watched = <T>(answer: Promise<T>): Promise<T> => {
    answer.catch((error: unknown) => clients.failed(error));
    return answer;
  };
  client.on('error', onError);
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => {
    end = resolve;
    client.once('end', end);
  });
  return {
    rows: (statement) => watched(rowsOf(client, statement, runs)),
    prepared: (statement) => {
      const call = preparedCall(client, statement);
      return (values) => watched(runs.call(client, () => call(values)));
    },
    copyOut: (text, read) => copyOut(client, text, read),
    copyBytes: (text, read) => copyBytes(client, text, read),
    copyIn: (text, content) => watched(copyIn(client, text, content)),
    onNotification: (listener) => {
      client.on('notification', ({ channel, payload }) => {
        listener(channel, payload);
      });
    },
    ended,
    release: (broken = false) => {
      client.removeListener('error', onError);
      client.removeAllListeners('notification');
      if (broken) client.on('error', () => undefined);
      else client.removeListener('end', end);
      leased.release(broken);
    },
  };
}

const asText = (value: string): string => value;

// Every statement sets how its rows are parsed, so that a pool of the service works as well as ours.
const query = (statement: Statement) => ({
  ...statement,
  values: statement.values ?? [],
  rowMode: 'array' as const,
  types: { getTypeParser: () => asText },
});

/** One URL per server, without options: pg would let those of the URL replace ours. */
function serversIn(text: string): { readonly urls: readonly string[]; readonly given: readonly string[] } {
  const urls = serverUrls(text) ?? [text];
  const given = new URL(urls[0] ?? text).searchParams.getAll('options');
  return { urls: given.length === 0 ? urls : urls.map(withoutOptions), given };
}

function withoutOptions(text: string): string {
  const url = new URL(text);
  url.searchParams.delete('options');
  return url.href;
}

function problemOf(error: unknown): unknown {
  if (error instanceof Error && /unsupported startup parameter/.test(error.message)) {
    return new Problem('invalid-setup', {
      detail: `A pooling proxy in front of PostgreSQL refuses our startup options; ${insteadOfPooler}.`,
      cause: error,
    });
  }
  if (isTransient(error) && !(error instanceof Problem)) return storeUnavailable(error);
  return historyProblemOf(error) ?? error;
}
