import type { Long } from '../../contracts/scalars.js';
import { lastSystemPosition } from '../../runtime/audit/system-pages.js';
import type { Database, Row, Session } from '../../runtime/database/database.js';
import { exportColumns, exportLine, humanLine } from './audit-line.js';

export interface TailFilter {
  readonly correlation?: string | undefined;
  readonly user?: string | undefined;
  readonly tenant?: string | undefined;
  readonly type?: string | undefined;
}

export interface TailRequest extends TailFilter {
  readonly follow: boolean;
  readonly json: boolean;
}

const shown = 20;
const window = 5000;
const pollMs = 1000;

/** Shows the last records that match, and follows those that come until a signal ends it. */
export async function tailSystemStream(
  database: Database,
  { follow, json, ...filter }: TailRequest,
  signal: AbortSignal = untilInterrupted(),
): Promise<void> {
  const tell = (rows: readonly Row[]) => {
    for (const row of rows) process.stdout.write(`${json ? exportLine(row) : humanLine(row)}\n`);
  };
  let last = await lastSystemPosition(database);
  tell(await lastMatching(database, filter, last));
  if (!follow) return;
  const bell = new Bell(database, signal);
  while (!signal.aborted) {
    await bell.next();
    const head = await lastSystemPosition(database);
    for (; last < head && !signal.aborted; last = Math.min(last + window, head))
      tell(await matching(database, filter, last + 1, Math.min(last + window, head)));
  }
  bell.stop();
}

/** Backwards, window by window, until there are enough. */
async function lastMatching(database: Database, filter: TailFilter, last: Long): Promise<readonly Row[]> {
  let found: readonly Row[] = [];
  for (let to = last; to > 0 && found.length < shown; to -= window)
    found = [...(await matching(database, filter, Math.max(1, to - window + 1), to, shown)), ...found];
  return found.slice(-shown);
}

async function matching(
  database: Database,
  { correlation, user, tenant, type }: TailFilter,
  from: Long,
  to: Long,
  newest = window,
): Promise<readonly Row[]> {
  const values: unknown[] = [from, to, newest];
  const where = ['stream_position >= $1', 'stream_position <= $2'];
  const must = (expression: string, value: string | undefined) => {
    if (value !== undefined) where.push(`${expression} = $${values.push(value)}`);
  };
  must('event_type', type);
  must(`coalesce(data ->> 'correlationId', metadata ->> 'correlationId')`, correlation);
  must(`coalesce(data ->> 'userId', metadata -> 'scope' ->> 'userId')`, user);
  must(`coalesce(data ->> 'tenantId', metadata -> 'scope' ->> 'tenantId')`, tenant);
  const rows = await database.rows({
    text: `SELECT stream_position, ${exportColumns} FROM svc_system_events WHERE ${where.join(' AND ')}
      ORDER BY stream_position DESC LIMIT $3`,
    values,
  });
  return rows.reverse();
}

/** Rings at every commit that it hears of, and now and then in case it did not hear one. */
class Bell {
  #session: Session | undefined;
  #ring = (): void => undefined;
  #rang = false;

  constructor(
    private readonly database: Database,
    private readonly signal: AbortSignal,
  ) {}

  async next(): Promise<void> {
    await this.#listen();
    if (this.#rang || this.signal.aborted) {
      this.#rang = false;
      return;
    }
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, pollMs);
      this.#ring = () => {
        clearTimeout(timer);
        resolve();
      };
      this.signal.addEventListener('abort', this.#ring, { once: true });
    });
    this.signal.removeEventListener('abort', this.#ring);
    this.#ring = () => undefined;
    this.#rang = false;
  }

  stop(): void {
    this.#session?.release(true);
  }

  async #listen(): Promise<void> {
    if (this.#session !== undefined) return;
    const session = await this.database.session();
    this.#session = session;
    void session.ended.then(() => {
      if (this.#session === session) this.#session = undefined;
    });
    session.onNotification(() => {
      this.#rang = true;
      this.#ring();
    });
    await session.rows({ text: 'LISTEN svc' });
  }
}

function untilInterrupted(): AbortSignal {
  const interrupt = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => interrupt.abort());
  // Nobody reads on.
  process.stdout.once('error', () => interrupt.abort());
  return interrupt.signal;
}
