import type { Row, Session, Statement } from './database.js';

/** The server process of a session. By its pid alone it could be taken for one that was started later. */
export interface Backend {
  readonly pid: string;
  readonly startedAt: string;
}

type Rows = Pick<Session, 'rows'>;

export async function backendOf(session: Rows): Promise<Backend> {
  const text = 'SELECT pid, backend_start FROM pg_stat_activity WHERE pid = pg_backend_pid()';
  const [[pid, startedAt] = []] = await asLogin(session, { text });
  return { pid: pid ?? '', startedAt: startedAt ?? '' };
}

/** Ends another session of the same login, if it is still there; its locks are free when this resolves. */
export const endBackend = async (session: Rows, { pid, startedAt }: Backend): Promise<void> => {
  const text =
    'SELECT pg_terminate_backend(pid, 2000) FROM pg_stat_activity WHERE pid = $1 AND backend_start = $2';
  await asLogin(session, { text, values: [pid, startedAt] });
};

/** The role that a session assumes may neither see nor end what its login may. */
async function asLogin(session: Rows, statement: Statement): Promise<readonly Row[]> {
  await session.rows({ text: 'BEGIN; SET LOCAL ROLE NONE' });
  try {
    return await session.rows(statement);
  } finally {
    await session.rows({ text: 'COMMIT' });
  }
}
