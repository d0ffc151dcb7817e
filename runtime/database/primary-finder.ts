import { setTimeout as delay } from 'node:timers/promises';
import { Client, type ClientBase, type PoolConfig } from 'pg';
import { Problem } from '../../contracts/problems.js';

/** A server that answered. */
interface FoundServer {
  readonly url: string;
  readonly isWritable: boolean;
  /** Raised by every promotion: of two that accept writes, the one with the lower timeline was replaced. */
  readonly timeline: number;
  /** `closed`: the store has moved away from here, or is still moving here. */
  readonly store: 'none' | 'closed' | 'open';
}

const probeMs = 2_000;
/** A store that moves is open nowhere for a moment. */
const closed = { tries: 60, everyMs: 50 };

/** Which of several servers new connections go to. */
export class PrimaryFinder {
  #current: string;
  #search: Promise<void> | undefined;
  #isEmpty = false;

  constructor(private readonly urls: readonly string[]) {
    this.#current = urls[0] ?? '';
  }

  get current(): string {
    return this.#current;
  }

  /** No server has a store, so that the first host makes one: an empty server beside one that is down may not be the one. */
  get isEmpty(): boolean {
    return this.#isEmpty;
  }

  /** After the server `tried` failed: asks all, once for all callers that wait; true if it is worth another attempt. */
  async search(tried: string): Promise<boolean> {
    if (this.#current === tried) {
      this.#search ??= this.#find().finally(() => (this.#search = undefined));
      await this.#search;
    }
    return this.#current !== tried || this.#isEmpty;
  }

  async #find(): Promise<void> {
    for (let tries = 1; ; tries++) {
      const asked = await Promise.all(this.urls.map((url) => ask(url).catch(() => undefined)));
      const found = asked.filter((server) => server !== undefined);
      const primary = newestPrimary(found);
      this.#current = primary ?? this.#current;
      this.#isEmpty = found.length === this.urls.length && found.every(({ store }) => store === 'none');
      const isMoving = primary === undefined && found.some(({ store }) => store === 'closed');
      if (!isMoving || tries === closed.tries) return;
      await delay(closed.everyMs);
    }
  }
}

/** Of the servers that accept writes, the one with the store and, of several, with the highest timeline. */
export function newestPrimary(servers: readonly FoundServer[]): string | undefined {
  const writable = servers.filter(({ isWritable, store }) => isWritable && store !== 'closed');
  const open = writable.filter(({ store }) => store === 'open');
  return (open.length > 0 ? open : writable).reduce<FoundServer | undefined>(
    (best, server) => (best === undefined || server.timeline > best.timeline ? server : best),
    undefined,
  )?.url;
}

/** For a pool: the class of its clients, each of which connects to the server that is current when it is made. */
export const clientsOf = (finder: Pick<PrimaryFinder, 'current'>): NonNullable<PoolConfig['Client']> =>
  class extends Client {
    constructor(options?: object) {
      super({ ...options, connectionString: finder.current });
    }
  };

/** A standby accepts connections, too, and so does a database that the store has left, or is yet to move to. */
export async function mustAcceptWrites(
  client: ClientBase,
  { isEmpty }: Pick<PrimaryFinder, 'isEmpty'>,
): Promise<void> {
  const { rows } = await client.query<string[]>({ text: stateQuery, rowMode: 'array' });
  const [[readOnly, , store] = []] = rows;
  if (readOnly === 'off' && (store === 'open' || (store === 'none' && isEmpty))) return;
  throw new Problem('store-unavailable', {
    detail:
      'None of the servers in DATABASE_URL that answer has the store and accepts writes; try again when one is promoted.',
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
    const { rows } = await client.query<[string, string, FoundServer['store']]>({
      text: stateQuery,
      rowMode: 'array',
    });
    const [[readOnly, timeline, store] = []] = rows;
    return {
      url,
      isWritable: readOnly === 'off',
      timeline: Number.parseInt(timeline ?? '0', 16),
      store: store ?? 'none',
    };
  } finally {
    // A server that does not answer would keep it open.
    void client.end().catch(() => undefined);
  }
}

/** A trigger of this name closes a store, and every login may see it. */
export const isClosed = `EXISTS (SELECT 1 FROM pg_trigger WHERE tgrelid = to_regclass('svc_store') AND tgname = 'svc_moved')`;

/** The name of a WAL file begins with the timeline; a standby has none to write. */
const stateQuery = `SELECT current_setting('transaction_read_only'),
  CASE WHEN pg_is_in_recovery() THEN '0' ELSE substr(pg_walfile_name(pg_current_wal_lsn()), 1, 8) END,
  CASE WHEN to_regclass('svc_store') IS NULL THEN 'none' WHEN ${isClosed} THEN 'closed' ELSE 'open' END`;
