import { Problem } from '../../contracts/problems.js';
import type { Database } from '../database/database.js';
import { openOwner } from '../database/schema-owner.js';
import { serverUrls } from '../database/server-list.js';
import { thrownMessage } from '../lang/thrown.js';

/** A database of a move, as its owner. */
export interface MoveEnd {
  readonly database: Database;
  readonly url: string;
  /** Host, port and name, for people to read. */
  readonly address: string;
}

/** The database that the store leaves, and the one it moves to. */
export interface MoveEnds {
  readonly source: MoveEnd;
  readonly target: MoveEnd;
}

/** Provides both ends, each with a connection for what runs long and others beside it. */
export async function withMoveEnds<T>(
  sourceUrl: string,
  targetUrl: string,
  body: (ends: MoveEnds) => Promise<T>,
): Promise<T> {
  const target = endAt(targetUrl);
  const source = endAt(leftOf(sourceUrl, target.address));
  try {
    for (const end of [source, target]) await mustAnswer(end);
    await mustHaveStore(source);
    return await body({ source, target });
  } finally {
    await Promise.all([source.database.close(), target.database.close()]);
  }
}

/** Host, port and name: neither user nor password. */
export const addressOf = (url: string): string => {
  const { hostname, port, pathname } = new URL(url);
  return `${hostname}:${port === '' ? '5432' : port}${pathname}`;
};

/** Hosts may list both servers; the target connects to the other one. */
export function leftOf(url: string, target: string): string {
  const urls = serverUrls(url) ?? [url];
  const [source, ...others] = urls.length === 1 ? urls : urls.filter((one) => addressOf(one) !== target);
  if (source !== undefined && others.length === 0) return source;
  throw new Problem('invalid-setup', {
    detail:
      'DATABASE_OWNER_URL, or else DATABASE_URL, lists several servers: give the primary that the store leaves alone.',
  });
}

const endAt = (url: string): MoveEnd => ({
  url,
  address: addressOf(url),
  database: openOwner(url, 'svc-move', 5),
});

async function mustHaveStore({ database, address }: MoveEnd): Promise<void> {
  const [[hasStore] = []] = await database.rows({ text: "SELECT to_regclass('svc_move') IS NOT NULL" });
  if (hasStore !== 't')
    throw new Problem('invalid-setup', { detail: `There is no store in ${address}; set DATABASE_URL.` });
}

async function mustAnswer({ database, address }: MoveEnd): Promise<void> {
  const answered = database.rows({ text: 'SELECT pg_is_in_recovery()' });
  const [[isStandby] = []] = await answered.catch((error: unknown) => {
    const cause = error instanceof Problem ? (error.cause ?? error) : error;
    throw new Problem('invalid-setup', { detail: `${address} does not answer: ${thrownMessage(cause)}.` });
  });
  if (isStandby === 't')
    throw new Problem('invalid-setup', { detail: `${address} is a standby; give its primary.` });
}
