import { Client, type ClientBase, type PoolConfig } from 'pg';
import { Problem } from '../../contracts/problems.js';

/** A server that answered. */
interface FoundServer {
  readonly url: string;
  readonly isWritable: boolean;
  /** Raised by every promotion: of two that accept writes, the one with the lower timeline was replaced. */
  readonly timeline: number;
}

const probeMs = 2_000;

/** Which of several servers new connections go to. */
export class PrimaryFinder {
  #current: string;
  #search: Promise<void> | undefined;

  constructor(private readonly urls: readonly string[]) {
    this.#current = urls[0] ?? '';
  }

  get current(): string {
    return this.#current;
  }

  /** After the server `tried` failed: asks all, once for all callers that wait; true if another one is the primary. */
  async search(tried: string): Promise<boolean> {
    if (this.#current === tried) {
      this.#search ??= this.#find().finally(() => (this.#search = undefined));
      await this.#search;
    }
    return this.#current !== tried;
  }

  async #find(): Promise<void> {
    const found = await Promise.all(this.urls.map((url) => ask(url).catch(() => undefined)));
    this.#current = newestPrimary(found.filter((server) => server !== undefined)) ?? this.#current;
  }
}

/** Of the servers that accept writes, the one with the highest timeline. */
export const newestPrimary = (servers: readonly FoundServer[]): string | undefined =>
  servers
    .filter(({ isWritable }) => isWritable)
    .reduce<FoundServer | undefined>(
      (best, server) => (best === undefined || server.timeline > best.timeline ? server : best),
      undefined,
    )?.url;

/** For a pool: the class of its clients, each of which connects to the server that is current when it is made. */
export const clientsOf = (finder: Pick<PrimaryFinder, 'current'>): NonNullable<PoolConfig['Client']> =>
  class extends Client {
    constructor(options?: object) {
      super({ ...options, connectionString: finder.current });
    }
  };

/** A standby accepts connections, too. */
export async function mustAcceptWrites(client: ClientBase): Promise<void> {
  const { rows } = await client.query<string[]>({ text: stateQuery, rowMode: 'array' });
  if (rows[0]?.[0] === 'off') return;
  throw new Problem('store-unavailable', {
    detail: 'None of the servers in DATABASE_URL accepts writes; try again when one is promoted.',
    retryAfter: 1,
  });
}

async function ask(url: string): Promise<FoundServer> {
  const client = new Client({
    connectionString: url,
    connectionTimeoutMillis: probeMs,
    query_timeout: probeMs,
    application_name: 'svc-find-primary',
  });
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<string[]>({ text: stateQuery, rowMode: 'array' });
    const [[readOnly, timeline] = []] = rows;
    return { url, isWritable: readOnly === 'off', timeline: Number.parseInt(timeline ?? '0', 16) };
  } finally {
    // A server that does not answer would keep it open.
    void client.end().catch(() => undefined);
  }
}

/** The name of a WAL file begins with the timeline; a standby has none to write. */
const stateQuery = `SELECT current_setting('transaction_read_only'),
  CASE WHEN pg_is_in_recovery() THEN '0' ELSE substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) END`;
