import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { post } from '../../endpoints/testing/http-client.js';
import { execute } from '../../runtime/kit/database.js';
import { withFolder } from '../../runtime/kit/temporary-folder.js';
import { until } from '../../runtime/kit/until.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { rowsOf } from '../../runtime/testing/rows-of.js';
import { useSegmentsOf } from '../../runtime/testing/small-segments.js';
import {
  emailsRead,
  forget,
  forgetting,
  masterKey,
  newCustomers,
  register,
  shows,
  tablesWith,
  withHost,
} from '../testing/customer-hosts.js';
import { svcInProcess } from '../testing/in-process-cli.js';

const test = suite('archived subjects');

const none = async (url: string, text: string): Promise<boolean> => (await rowsOf(url, text)).length === 0;

test('a subject is forgotten in archives at once, and in read models once their segments are attached', () =>
  withStore((url) =>
    withFolder(async (folder) => {
      await useSegmentsOf(url, 16);
      const { eve, joe, city } = newCustomers();
      const env = { DATABASE_URL: url, SVC_MASTER_KEY: masterKey };
      const run = async (...args: readonly string[]) => {
        const { code, stdout, stderr } = await svcInProcess(args, env);
        assert.equal([code, stderr], [0, ''], stdout);
      };
      await withHost(url, async (host) => {
        await register(host.url, eve, joe);
        for (let n = 0; n < 10; n++)
          await register(host.url, { ...joe, customerId: newUuid(), city: newUuid() });
        await shows(host.url, city, { emails: [eve.email, joe.email] });
        await run('segments', 'seal');
        await execute(url, `UPDATE svc_segments SET sealed_at = sealed_at - interval '8 days'`);
        await until(() => none(url, 'SELECT 1 WHERE svc_archive_obstacle(0, 7) IS NOT NULL'));
        await run('segments', 'archive', '--to', folder);
        const refused = await post(host.url, eve, { path: '/customers/read' });
        assert.is(refused.status, 503);
        assert.match(
          refused.text,
          /"detail":"The positions (\d+) to \d+ are archived; to read them again: svc segments attach \1"/,
        );
        assert.is((await forget(url, eve.customerId)).code, 0);
        assert.is(await none(url, forgetting), false);
        await shows(host.url, city, { emails: [eve.email, joe.email] });
        await run('segments', 'attach', '0');
        // A rebuild that was refused is tried again after half a minute.
        await until(async () => {
          await execute(url, 'UPDATE svc_subject_rewinds SET requested_at = NULL');
          return none(url, forgetting);
        });
        assert.equal(await emailsRead(host.url, eve), { emails: [null] });
        await shows(host.url, city, { emails: [null, joe.email] });
        await shows(host.url, `/customers/${eve.customerId}`, { email: null, phone: null });
        assert.equal(await tablesWith(url, eve.email), []);
      });
    }),
  ));
