import { randomBytes } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { newUuid } from '../../contracts/uuid.js';
import { jsonOf, post, send } from '../../endpoints/testing/http-client.js';
import { connect } from '../../runtime/database/connect.js';
import { sqlStateOf } from '../../runtime/database/sql-error.js';
import { builtForProcess } from '../../runtime/testing/process-root.js';
import { untilPasses } from '../../runtime/kit/until.js';
import { readConfig } from '../config/config.js';
import { type Host, startHost } from '../host/host.js';
import customers from './customer-service.js';
import { svcInProcess } from './in-process-cli.js';

export const masterKey = randomBytes(32).toString('base64');
export const app = fileURLToPath(builtForProcess(new URL('./customer-service.js', import.meta.url)));

const startAt = (url: string, env: Readonly<Record<string, string>> = {}): Promise<Host> =>
  startHost(customers, readConfig({ SVC_PORT: '0', DATABASE_URL: url, SVC_MASTER_KEY: masterKey, ...env }));

export async function withHost(
  url: string,
  body: (host: Host) => Promise<void>,
  env?: Readonly<Record<string, string>>,
): Promise<void> {
  const host = await startAt(url, env);
  try {
    await body(host);
  } finally {
    await host.stop();
  }
}

export const ada = { customerId: newUuid(), city: 'London', email: 'ada@lovelace.example' };
export const bob = { customerId: newUuid(), city: 'London', email: 'bob@london.example' };

/** Two customers in a city of their own, for a test that shares its store. */
export function newCustomers() {
  const city = newUuid();
  const named = (name: string) => ({ customerId: newUuid(), city, email: `${name}@${city}.example` });
  return { city: `/cities/${city}`, eve: named('eve'), joe: named('joe') };
}

export async function register(url: string, ...all: readonly (typeof ada)[]): Promise<void> {
  for (const customer of all) {
    const headers = { 'idempotency-key': newUuid() };
    const answer = await post(url, customer, { path: '/customers', headers });
    assert.is(answer.status, 200, answer.text);
  }
}

export const get = async (url: string, path: string) => jsonOf(await send(url, { method: 'GET', path }));

export const shows = (url: string, path: string, expected: object): Promise<void> =>
  untilPasses(async () => {
    const found = (await get(url, path)) as Record<string, unknown>;
    assert.equal(Object.fromEntries(Object.keys(expected).map((name) => [name, found[name]])), expected);
  });

export const emailsRead = async (url: string, customer: typeof ada): Promise<unknown> =>
  jsonOf(await post(url, customer, { path: '/customers/read' }));

export const forget = (url: string, id: string) =>
  svcInProcess(['subjects', 'forget', id, '--reason', 'request 4711', '--json'], {
    DATABASE_URL: url,
    SVC_ACTOR: 'boss',
  });

/** What has to be folded again is noted by the command or, a moment later, by a host. */
export const forgetting = `SELECT 1 FROM svc_subject_rewinds
  UNION ALL SELECT 1 FROM svc_subject_keys WHERE forgotten_at IS NOT NULL AND NOT noted`;

/** The tables that hold a text in any column. */
export async function tablesWith(url: string, secret: string): Promise<readonly string[]> {
  const client = await connect(url);
  try {
    const { rows: tables } = await client.query<{ path: string; name: string }>(
      `SELECT format('%I.%I', schemaname, tablename) AS path, tablename AS name FROM pg_tables
        WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`,
    );
    const found: string[] = [];
    for (const { path, name } of tables) {
      const text = `SELECT 1 FROM ${path} t WHERE t::text LIKE '%${secret}%' LIMIT 1`;
      const { rows } = await client.query(text).catch(noneWhenDropped);
      if (rows.length > 0) found.push(name);
    }
    return found;
  } finally {
    await client.end();
  }
}

/** A host may drop a table that a rebuild replaced while it is looked for. */
function noneWhenDropped(error: unknown): { readonly rows: readonly unknown[] } {
  if (sqlStateOf(error) === '42P01') return { rows: [] };
  throw error;
}
