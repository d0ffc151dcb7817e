import { createHmac } from 'node:crypto';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { type Answered, post, send } from '../../endpoints/testing/http-client.js';
import { newApiKey, digestOf } from '../../runtime/access/api-key.js';
import { connect } from '../../runtime/database/connect.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { until } from '../../runtime/kit/until.js';
import { anOrder, orderIdIn } from '../testing/order-load.js';
import { withOrders } from '../testing/spawned-host.js';

const test = suite('credentials of callers');

const secret = 'a secret of thirty-two bytes, no less';
const permissions = ['orders:read', 'orders:write', 'svc:observe'];

function tokenBy(key: string): string {
  const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const exp = Math.floor(Date.now() / 1_000) + 600;
  const text = `${encoded({ alg: 'HS256' })}.${encoded({ sub: 'ada', permissions, exp })}`;
  return `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`;
}

const headersOf = (credentials: readonly string[]) =>
  credentials.flatMap((credential) => [
    { authorization: `Bearer ${credential}` },
    { 'x-api-key': credential },
    { authorization: `Bearer ${credential}`, 'x-api-key': 'svc_other' },
  ]);

type Shown = Pick<Answered, 'status' | 'text'>;

async function read(url: string, headers: Record<string, string>): Promise<Shown> {
  const answer = await fetch(url, { headers });
  return { status: answer.status, text: JSON.stringify([...answer.headers]) + (await answer.text()) };
}

/** Requests that succeed, are refused, and fail in their body, in their receptor and in their hooks. */
async function requests(url: string, headers: Record<string, string>): Promise<readonly Shown[]> {
  const ask = (path: string, body: unknown) => post(url, body, { path, headers });
  const created = await ask('/orders', anOrder);
  const orderId = created.status === 200 ? orderIdIn(created) : anOrder.customerId;
  const keyed = { ...headers, 'idempotency-key': `key ${Math.random()}` };
  return [
    created,
    await post(url, anOrder, { path: '/orders', headers: keyed }),
    await ask('/orders', { broken: true }),
    await ask('/orders/ship', { orderId, carrier: 'down' }),
    await ask('/graphql', { query: 'mutation { nothing }' }),
    await send(url, { path: '/orders', headers, body: '{"' }),
    ...(await Promise.all(
      ['/orders', '/nothing', '/metrics', '/console/api/host', '/health', '/machines'].map((path) =>
        read(url + path, headers),
      ),
    )),
  ];
}

/** The tables that hold any of these texts, as they are or as bytes. */
async function tablesWith(url: string, texts: readonly string[]): Promise<readonly string[]> {
  const client = await connect(url);
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `SELECT relname AS name FROM pg_class WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace`,
    );
    const found: string[] = [];
    for (const { name } of tables) {
      const { rows } = await client.query<{ row: string }>(`SELECT t::text AS row FROM "${name}" t`);
      const kept = rows.map(({ row }) => row).join('\n');
      if (texts.some((text) => kept.includes(text) || kept.includes(Buffer.from(text).toString('hex'))))
        found.push(name);
    }
    return found;
  } finally {
    await client.end();
  }
}

/** Of its parent, a partitioned table, the catalog says another kind. */
const isOfSystemStream = (table: string): boolean => table.startsWith('svc_system_events');

test('a token, an API key and the shared key are in no table, log or answer, whatever fails', () =>
  withStore(async (url) => {
    const { id, key } = newApiKey();
    const env = { SVC_AUTH: 'jwt,api-key', SVC_JWT_SECRET: secret, SVC_LOG: 'trace', SVC_INSPECT: '1' };
    // A running host would know it soon, and perhaps not before it is used.
    await rowsOf(
      url,
      `INSERT INTO svc_api_keys(id, digest, name, permissions) VALUES ('${id}',
        '\\x${digestOf(key).toString('hex')}', 'till', '{${permissions.join()}}')`,
    );
    await withOrders({ DATABASE_URL: url, ...env }, async (host) => {
      const credentials = [tokenBy(secret), key, tokenBy(`${secret}!`), newApiKey().key];
      const answers: Shown[] = [];
      for (const headers of headersOf(credentials)) answers.push(...(await requests(host.url, headers)));
      assert.ok(answers.some(({ status }) => status === 200));
      const sources = [`api-key:svc_${id}`];
      await until(async () => (await tablesWith(url, sources)).some(isOfSystemStream));
      assert.ok(answers.some(({ status }) => status === 401));
      // The last part of each is the secret one.
      const secrets = [...credentials.map((credential) => credential.slice(-40)), secret];
      const { stdout, stderr } = host.output;
      const written = [...stdout, ...stderr, ...answers.map((answer) => JSON.stringify(answer))].join('\n');
      for (const text of secrets) assert.is(written.includes(text), false);
      assert.equal(await tablesWith(url, secrets), []);
      assert.equal(await tablesWith(url, [digestOf(key).toString('hex')]), ['svc_api_keys']);
    });
  }));
