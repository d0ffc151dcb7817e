import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { resultIn } from '../../endpoints/testing/graphql-client.js';
import { jsonOf, post, refusalIn, send } from '../../endpoints/testing/http-client.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { readConfig } from '../config/config.js';
import { loadService } from '../service/load-service.js';
import { svcInProcess } from './in-process-cli.js';
import { anOrder } from './order-load.js';
import { startHost } from '../host/host.js';

const example = fileURLToPath(new URL('../../examples/orders', import.meta.url));

export type Env = Readonly<Record<string, string>>;

export interface Scene {
  readonly url: string;
  readonly databaseUrl: string;
  readonly svc: (...args: string[]) => Promise<string>;
}

export const withHost = (env: Env, body: (scene: Scene) => Promise<void>): Promise<void> =>
  withStore(async (databaseUrl) => {
    const config = readConfig({ SVC_PORT: '0', DATABASE_URL: databaseUrl, SVC_LOG: 'silent', ...env });
    const host = await startHost(await loadService(example), config);
    const run = async (...args: string[]): Promise<string> => {
      const { code, stdout, stderr } = await svcInProcess(args, {
        DATABASE_URL: databaseUrl,
        SVC_ACTOR: 'grace',
      });
      assert.equal([code, stderr], [0, '']);
      return stdout;
    };
    try {
      await body({ url: host.url, databaseUrl, svc: run });
    } finally {
      await host.stop();
    }
  });

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` });

export const create = (url: string, headers: Env) => post(url, anOrder, { path: '/orders', headers });

export const list = (url: string, headers: Env) => send(url, { method: 'GET', path: '/orders', headers });

const mutation = 'mutation ($command: CreateOrderInput!) { createOrder(command: $command) { orderId } }';

/** Bad credentials end the whole request, a missing permission only the field that needs it. */
export async function mutate(url: string, headers: Env): Promise<string> {
  const answer = await post(
    url,
    { query: mutation, variables: { command: anOrder } },
    { path: '/graphql', headers },
  );
  if (answer.headers['content-type']?.startsWith('application/problem+json') === true)
    return refusalIn(answer).replace('401 ', '');
  const { data, errors } = resultIn(answer);
  return errors[0]?.extensions.code ?? (data?.['createOrder'] === undefined ? 'nothing' : 'created');
}

export async function mustServe(url: string, headers: Env): Promise<void> {
  const created = await create(url, { prefer: 'wait=10', ...headers });
  assert.is(created.status, 200, created.text);
  assert.is(await mutate(url, headers), 'created');
  const read = await list(url, headers);
  assert.is(read.status, 200);
  const { data } = jsonOf(read) as { data: { orderId: string }[] };
  const { orderId } = jsonOf(created) as { orderId: string };
  assert.ok(data.some((order) => order.orderId === orderId));
}

export const permissions = ['orders:read', 'orders:write'];
