import { userInfo } from 'node:os';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { exampleHere } from '../../runtime/testing/process-root.js';
import { query } from '../../runtime/migrations/testing/migrations.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { svcInProcess as svc } from '../testing/in-process-cli.js';
import { sharedIn } from '../../runtime/testing/shared-in.js';
import { type SpawnedHost, withOrders } from '../testing/spawned-host.js';
import { actions, place } from '../testing/placed-orders.js';

const test = suite('svc perspectives');

const listed = async (url: string): Promise<readonly string[]> => {
  const { stdout } = await svc(['perspectives', 'list', '--json'], { DATABASE_URL: url });
  return (JSON.parse(stdout) as { name: string; position: number }[]).map(
    ({ name, position }) => `${name} ${position}`,
  );
};

test('a perspective that no host runs can be removed with everything kept about it, and may come back', () =>
  withStore(async (url) => {
    const env = { DATABASE_URL: url };
    assert.is((await svc(['migrate', exampleHere('orders')], env)).code, 0);
    const remove = (name: string) => svc(['perspectives', 'remove', name, '--reason', 'retired'], env);
    await query(
      url,
      `UPDATE svc_progress SET position = 7 WHERE name LIKE 'svc_per_order%';
        INSERT INTO svc_leases(name, lease_until) SELECT table_name, 'infinity' FROM svc_perspectives WHERE name LIKE 'order%'`,
    );
    assert.match(
      (await remove('order-summary')).stderr,
      /^svc: A host runs order-summary; deploy a version of the/,
    );
    await query(url, "UPDATE svc_leases SET lease_until = '-infinity'");
    assert.match(
      (await remove('order-sum')).stderr,
      /^svc: There is no perspective 'order-sum'; there are: /,
    );
    assert.is((await remove('order-summary')).stdout, 'Removed order-summary.\n');
    assert.equal(
      (await listed(url)).filter((one) => one.startsWith('order-summary')),
      [],
    );
    assert.equal(
      await query(url, "SELECT relname FROM pg_class WHERE relname LIKE 'svc\\_%order\\_summary%'"),
      [],
    );
    assert.equal(await query(url, "SELECT proname FROM pg_proc WHERE proname LIKE '%order_summary%'"), []);
    assert.equal((await actions(url)).at(-1), [
      'perspectives remove',
      'order-summary',
      userInfo().username,
      'retired',
    ]);
    assert.is((await svc(['migrate', exampleHere('orders')], env)).code, 0);
    assert.ok((await listed(url)).includes('order-summary 0'));
  }));

/** A host of the orders example, and its database. */
const shared = sharedIn<{ readonly host: SpawnedHost; readonly env: { readonly DATABASE_URL: string } }>(
  test,
  (use) =>
    withStore((url) => {
      const env = { DATABASE_URL: url };
      return withOrders(env, (host) => use({ host, env }));
    }),
);

test('a perspective whose table was dropped is listed as failed, and a rebuild by the running host creates it again', () =>
  shared(async ({ host, env }) => {
    const url = env.DATABASE_URL;
    await place(host.url);
    const [[name] = []] = await query(
      url,
      "SELECT table_name FROM svc_perspectives WHERE name = 'order-summary'",
    );
    await query(url, `DROP TABLE ${name ?? ''} CASCADE`);
    const states = async () => (await svc(['perspectives', 'list'], env)).stdout;
    assert.match(await states(), /^order-summary +failed /m);
    assert.is((await fetch(`${host.url}/orders`)).status, 503);
    const rebuilt = await svc(['perspectives', 'rebuild', 'order-summary', '--mode', 'BlueGreen'], env);
    assert.match(rebuilt.stdout, /1 streams, 1 events/, rebuilt.stderr);
    assert.match(await states(), /^order-summary +(?:live|catchingUp) /m);
    assert.is((await fetch(`${host.url}/orders`)).status, 200);
  }));

test('bad arguments are reported on one clear line', () =>
  shared(async ({ env }) => {
    const refusal = async (...args: string[]) => (await svc(['perspectives', ...args], env)).stderr;
    assert.match(
      await refusal('rebuild', 'cakes', '--mode', 'InPlace'),
      /^svc: There is no perspective 'cakes'; there are: audit-log, order-summary, payments, svc-approvals\.\n$/,
    );
    assert.match(
      await refusal('rebuild', 'cakes', '--mode', 'Fast'),
      /^svc: --mode must be one of BlueGreen, InPlace, SelectedStreams, not 'Fast';/,
    );
    assert.match(
      await refusal('rebuild', 'cakes', '--mode', 'SelectedStreams'),
      /^svc: SelectedStreams needs at least one --stream, and no other mode takes it;/,
    );
    assert.match(
      await refusal('rebuild', 'cakes', '--mode', 'SelectedStreams', '--stream', '7'),
      /^svc: --stream must be a UUID, not '7';/,
    );
    assert.match(await refusal('cancel', 'order-summary'), /^svc: order-summary is not being rebuilt\.\n$/);
  }));
