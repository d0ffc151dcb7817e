import { connect } from '../../../runtime/database/connect.js';
import { freePort } from '../../../runtime/database/embedded/operating-system.js';
import { startCrashablePostgres } from '../../chaos/harness/crashable-postgres.js';
import { startApp } from './app-process.js';
import { parentOf } from './processes.js';
import type { Requests, RunningSystem } from './system.js';

interface OnPostgres {
  readonly name: string;
  /** Takes a port and the address of the database. */
  readonly script: string;
  /** The query for how often each order was placed. */
  readonly placed: string;
}

/** 256 bytes of a body, of which the most part is this. */
export const note = 'x'.repeat(180);

const requests: Requests = {
  command: { path: '/orders', body: `{"orderId":"{key}","note":"${note}"}` },
  timer: { path: '/reminders', body: '{"orderId":"{key}","due":{due}}' },
  process: { path: '/fulfilments', body: '{"orderId":"{key}","began":{now}}' },
};

/** An application beside a PostgreSQL server of its own. */
export const onPostgres =
  ({ name, script, placed }: OnPostgres) =>
  async (program: string): Promise<RunningSystem> => {
    const postgres = await startCrashablePostgres();
    try {
      const port = await freePort();
      const start = () => startApp(program, script, [String(port), postgres.url]);
      let app = await start();
      return {
        name,
        requests,
        url: `http://127.0.0.1:${port}`,
        taken: () => app.taken(),
        placed: () => rowsOf(postgres.url, placed),
        roots: async () => [app.pid, await postmasterOf(postgres.url)],
        crash: async () => {
          await Promise.all([app.kill(), postgres.crash()]);
          app = await start();
        },
        stop: async () => {
          await app.kill();
          await postgres.stop();
        },
      };
    } catch (error) {
      await postgres.stop();
      throw error;
    }
  };

async function rowsOf(url: string, text: string): Promise<ReadonlyMap<string, number>> {
  const client = await connect(url);
  try {
    const { rows } = await client.query<{ id: string; n: string }>(text);
    return new Map(rows.map(({ id, n }) => [id, Number(n)]));
  } finally {
    await client.end();
  }
}

async function postmasterOf(url: string): Promise<number> {
  const client = await connect(url);
  try {
    const { rows } = await client.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
    return await parentOf(rows[0]?.pid ?? 0);
  } finally {
    await client.end();
  }
}
