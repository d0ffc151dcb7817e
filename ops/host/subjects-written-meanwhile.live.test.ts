import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { withStore } from '../../runtime/testing/migrated-database.js';
import { untilPasses } from '../../runtime/kit/until.js';
import { ada, bob, forget, get, register, shows, tablesWith, withHost } from '../testing/customer-hosts.js';

const test = suite('subjects that are forgotten meanwhile');

test('nothing of a subject is left that is forgotten while hosts write and fold values of it', () =>
  withStore((url) =>
    withHost(url, (one) =>
      withHost(url, async (other) => {
        const written = Array.from({ length: 60 }, (_, n) => ({ ...ada, email: `${n}-${ada.email}` }));
        await register(one.url, bob, ada);
        await Promise.all([
          ...[one, other].map(({ url: at }, host) =>
            register(at, ...written.filter((_, n) => n % 2 === host)),
          ),
          forget(url, ada.customerId),
        ]);
        const { stdout } = await forget(url, ada.customerId);
        assert.is((JSON.parse(stdout) as { readonly forgotten: boolean }).forgotten, false);
        await shows(one.url, `/customers/${ada.customerId}`, { email: null, events: 61 });
        await untilPasses(async () => assert.equal(await tablesWith(url, ada.email), []));
        await shows(one.url, `/customers/${bob.customerId}`, { email: bob.email, events: 1 });
        // The two read models are not at the same event.
        await untilPasses(async () => {
          const { emails } = (await get(one.url, '/cities/London')) as {
            readonly emails: readonly unknown[];
          };
          assert.equal([emails.length, emails.filter((email) => email !== null)], [62, [bob.email]]);
        });
      }),
    ),
  ));
