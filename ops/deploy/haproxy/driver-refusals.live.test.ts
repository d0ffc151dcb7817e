import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { until } from '../../../runtime/kit/until.js';
import { haproxyDriver } from './driver.js';
import { versionedOrders } from '../../testing/versioned-orders.js';
import { withDeployedOrders } from '../../testing/deployed-orders.js';

const test = suite('what the haproxy driver refuses');

test('what cannot be deployed is refused on one line, and nothing changes', () =>
  withDeployedOrders(async ({ haproxy, driver, signal }) => {
    const refusalOf = (asked: Promise<unknown>): Promise<string> =>
      asked.then(
        () => 'accepted',
        (error: unknown) => (error as Error).message,
      );
    assert.is(
      await refusalOf(driver.prepare('1.0.0', undefined, signal)),
      'There is no revision 1.0.0; none is kept yet.',
    );
    const { slots } = haproxy.config as { readonly slots: object };
    const wrong = haproxyDriver({
      ...haproxy.config,
      slots: { ...slots, green: { server: 'pink', port: 1 } },
    });
    assert.is(
      await refusalOf(wrong.prepare('1.0.0', undefined, signal)),
      'HAProxy has no server pink in the backend orders; compare deploy.json with haproxy.cfg.',
    );
    const source = await versionedOrders(haproxy.folder, '1.0.0');
    const without = haproxyDriver(haproxy.config, haproxy.folder, { env: {} });
    const target = await without.prepare('1.0.0', source, signal);
    assert.match(await refusalOf(target.scale('new', 1, signal)), /^Set DATABASE_URL: /);

    await writeFile(join(source, 'main.js'), 'export default 1;');
    const broken = await driver.prepare('1.0.0', source, signal);
    let refusal = '';
    // A busy machine may need more than one attempt to see it fail at once.
    await until(
      async () => (refusal = await refusalOf(broken.scale('new', 1, signal))) !== 'accepted',
      240_000,
    );
    assert.match(
      refusal,
      /^Revision 1\.0\.0 cannot be started: process \d+ exited [^\n]+ has no service definition; [^\n]+$/,
    );
    assert.equal(await driver.revisions(signal), { current: undefined, known: ['1.0.0'] });
  }));
