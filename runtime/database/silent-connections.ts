import type { Socket } from 'node:net';
import { Client, DatabaseError, type Pool, type PoolClient } from 'pg';

const patience = { lookEveryMs: 5_000, answersWithinMs: 5_000 };
type Patience = typeof patience;

/** In a row: a server or a process that pauses for a moment loses nothing. */
const silentLooks = 3;

/**
 * Ends connections that have fallen silent, long before a long statement, or a copy, would time out. A proxy or a network
 * may drop a statement, its answer or a farewell, and keep the connection open: only the server, asked on another one, knows
 * whether it works on the statement.
 */
export function endSilent(pool: Pool, { lookEveryMs, answersWithinMs }: Patience = patience): void {
  const Own = (pool.options.Client ?? Client) as typeof Client;
  const within = { connectionTimeoutMillis: answersWithinMs, query_timeout: answersWithinMs };
  // As the login: the role of the runtime does not see what its sessions do.
  const other = () =>
    new Own({ ...pool.options, ...within, options: undefined, application_name: 'svc-watch' });
  const open = new Set<WatchedConnection>();
  let timer: NodeJS.Timeout | undefined;
  pool.on('connect', (client) => {
    const connection = new WatchedConnection(client, other);
    open.add(connection);
    timer ??= setInterval(() => open.forEach((each) => void each.look()), lookEveryMs).unref();
    client.once('end', () => {
      open.delete(connection);
      if (open.size > 0) return;
      clearInterval(timer);
      timer = undefined;
    });
  });
}

class WatchedConnection {
  #progress = '';
  #silentLooks = 0;
  #isLooking = false;

  constructor(
    private readonly client: PoolClient,
    private readonly connectionToAsk: () => Client,
  ) {}

  async look(): Promise<void> {
    if (this.#isLooking) return;
    this.#isLooking = true;
    const isSilent = this.#isWaiting && !this.#progresses() && !(await this.#isWorkedOn());
    this.#isLooking = false;
    this.#silentLooks = isSilent ? this.#silentLooks + 1 : 0;
    if (this.#silentLooks === silentLooks) this.#socket.destroy();
  }

  /** Another one than before, once it is encrypted. */
  get #socket(): Socket {
    return this.client.connection.stream as Socket;
  }

  /** For an answer, or for the server to close the connection. */
  get #isWaiting(): boolean {
    const { readyForQuery } = this.client as { readonly readyForQuery?: boolean };
    return readyForQuery === false || this.#socket.writableEnded;
  }

  #progresses(): boolean {
    const before = this.#progress;
    this.#progress = `${this.#socket.bytesRead} ${this.#socket.writableLength}`;
    return this.#progress !== before;
  }

  /** A server that refuses to say does answer, and may work on it. */
  async #isWorkedOn(): Promise<boolean> {
    if (this.#socket.writableEnded) return false;
    const { processID } = this.client as { readonly processID?: number | null };
    const other = this.connectionToAsk();
    other.on('error', () => undefined);
    try {
      await other.connect();
      const { rows } = await other.query<[string]>({ text: workedOn, values: [processID], rowMode: 'array' });
      return rows[0]?.[0] === 'yes';
    } catch (error) {
      return error instanceof DatabaseError;
    } finally {
      void other.end().catch(() => undefined);
    }
  }
}

/** A process that waits for its client has sent an answer that did not arrive, or waits for what did not arrive there. */
const workedOn = `SELECT CASE WHEN state LIKE 'idle%' OR wait_event_type = 'Client' THEN 'no' ELSE 'yes' END
  FROM pg_stat_activity WHERE pid = $1`;
