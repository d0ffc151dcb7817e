import type { Long } from '../../contracts/scalars.js';
import { lastSystemPosition } from '../../runtime/audit/system-pages.js';
import type { Database, Row, Session } from '../../runtime/database/database.js';
import { exportColumns, exportLine, humanLine } from './audit-line.js';
import { matching, type SystemStreamFilter, window } from './audit-matching.js';

export interface TailRequest extends SystemStreamFilter {
  readonly follow: boolean;
  readonly json: boolean;
}

const shown = 20;
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
      tell(
        await matching(database, exportColumns, filter, {
          from: last + 1,
          to: Math.min(last + window, head),
        }),
      );
  }
  bell.stop();
}

/** Backwards, window by window, until there are enough. */
async function lastMatching(
  database: Database,
  filter: SystemStreamFilter,
  last: Long,
): Promise<readonly Row[]> {
  let found: readonly Row[] = [];
  for (let to = last; to > 0 && found.length < shown; to -= window)
    found = [
      ...(await matching(database, exportColumns, filter, {
        from: Math.max(1, to - window + 1),
        to,
        newest: shown,
      })),
      ...found,
    ];
  return found.slice(-shown);
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
