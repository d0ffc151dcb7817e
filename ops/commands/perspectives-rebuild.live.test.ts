import { userInfo } from 'node:os';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { until } from '../../runtime/kit/until.js';
import { query } from '../../runtime/migrations/testing/migrations.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { svcInProcess as svc } from '../testing/in-process-cli.js';
import { svc as spawnSvc, withOrders } from '../testing/spawned-host.js';
import { headers, place, spoil, statuses, actions, parsed } from '../testing/placed-orders.js';

const test = suite('svc perspectives rebuild');

const operatorToken = 'an-operator-of-all-the-orders-of-a-shop';

test('a running host does a requested rebuild; if no host runs, the application must be given', () =>
  withStore(async (url) => {
    const env = { DATABASE_URL: url };
    await withOrders({ ...env, SVC_AUDIT: 'all', SVC_OPERATOR_TOKEN: operatorToken }, async (host) => {
      const id = await place(host.url);
      await place(host.url);
      const list = JSON.parse((await svc(['perspectives', 'list', '--json'], env)).stdout) as object[];
      assert.equal(Object.keys(list[0] ?? {}), ['name', 'position', 'lag', 'state']);
      await spoil(url);
      const { code, stdout, stderr } = await svc(
        ['perspectives', 'rebuild', 'order-summary', '--mode', 'BlueGreen', '--json', '--reason', 'spoilt'],
        { ...env, SVC_ACTOR: 'ann' },
      );
      assert.is(code, 0, stderr);
      const { mode, streams, events } = parsed(stdout);
      assert.equal([mode, streams, events], ['BlueGreen', 2, 2]);
      assert.equal(await statuses(url), [['created']]);
      await spoil(url);
      const chosen = [
        'perspectives',
        'rebuild',
        'order-summary',
        '--mode',
        'SelectedStreams',
        '--stream',
        id,
      ];
      assert.match(
        (await svc(chosen, env)).stdout,
        /^Rebuilt order-summary \(SelectedStreams\): 1 streams, 1 events/,
      );
      assert.equal(new Set((await statuses(url)).flat()), new Set(['created', 'lost']));
      const answer = await fetch(`${host.url}/console/api/perspectives/order-summary/rebuild`, {
        method: 'POST',
        headers: { ...headers, authorization: `Bearer ${operatorToken}` },
        body: JSON.stringify({ mode: 'InPlace' }),
      });
      assert.equal(
        [answer.status, await answer.json()],
        [200, { rebuilding: 'order-summary', mode: 'InPlace' }],
      );
      // The tables of a rebuild that still runs are kept.
      const cleaned = async () => (await svc(['perspectives', 'clean'], env)).stdout;
      await until(async () => /^dropped table svc_old_per_order_summary_/.test(await cleaned()));
    });
    const types = await query(
      url,
      "SELECT DISTINCT event_type FROM svc_system_stream WHERE event_type LIKE 'PerspectiveRebuild%' ORDER BY 1",
    );
    assert.equal(
      types.flat().filter((type) => type !== 'PerspectiveRebuildProgress'),
      ['PerspectiveRebuildCompleted', 'PerspectiveRebuildStarted'],
    );
    await query(url, "UPDATE svc_leases SET lease_until = '-infinity'");
    const rebuild = ['perspectives', 'rebuild', 'order-summary', '--mode', 'BlueGreen'];
    assert.match(
      (await svc(rebuild, env)).stderr,
      /^svc: No host runs order-summary; start one, or give the application:/,
    );
    await spoil(url);
    assert.is((await spawnSvc([...rebuild, '--app', 'examples/orders'], env)).code, 0);
    assert.equal(await statuses(url), [['created']]);
    const user = userInfo().username;
    const acted = (await actions(url)).map((row) => row.join(' '));
    assert.equal(
      acted.filter((row) => !row.startsWith('perspectives clean')),
      [
        'perspectives rebuild order-summary ann spoilt',
        `perspectives rebuild order-summary ${user} `,
        'perspectives rebuild order-summary operator-token ',
        `perspectives rebuild order-summary ${user} `,
      ],
    );
    assert.ok(acted.some((row) => row.startsWith('perspectives clean table svc_old_per_order_summary_')));
  }));
