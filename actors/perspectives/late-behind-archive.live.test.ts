import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { until } from '../../runtime/kit/until.js';
import { withFolder } from '../../runtime/kit/temporary-folder.js';
import { archiveAll, attachFrom } from '../../runtime/testing/archived-store.js';
import { useSegmentsOf } from '../../runtime/testing/small-segments.js';
import { type Account, account, accounts, booked } from '../testing/accounts-perspective.js';
import { modelOf, stateOf, withPerspectiveHosts } from '../testing/perspective-hosts.js';
import { book } from '../testing/rebuilt-accounts.js';

const test = suite('late events behind archived segments');

test('an event older than the archived ones of its stream is late: its row waits for the segment, and the others continue', () =>
  withPerspectiveHosts(({ url, owner, host }) =>
    withFolder(async (folder) => {
      await useSegmentsOf(url, 10);
      const service = host([accounts({ snapshotEvery: 3 })]);
      const [old, other] = [account(), account()];
      await book(service, [old], 4);
      await book(service, [other], 10);
      const connections = { database: owner, owner };
      const to = await archiveAll(url, connections, folder);
      await service.eventStore.append(old, booked(99), { occurredAt: '2020-01-01T00:00:00Z' });
      const late = 'SELECT event_type FROM svc_events WHERE late';
      assert.equal(await owner.rows({ text: late }), [['Booked']]);
      await book(service, [other], 1);
      const amounts = async (id: string) => (await modelOf<Account>(owner, id))?.amounts;
      assert.equal(await amounts(old), [1, 2, 3, 4]);
      assert.equal(await amounts(other), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 1]);
      const errors = async () =>
        (await owner.rows({ text: 'SELECT key, state, error FROM svc_stuck_work' })).flat();
      const parked = async () => {
        const [key, state, error = ''] = await errors();
        assert.equal([key, state], [old, 'parked']);
        assert.match(
          error ?? '',
          new RegExp(
            `^history-archived: The positions (\\d+) to ${to - 1} are archived; to read them again: svc segments attach \\1$`,
          ),
        );
      };
      await parked();
      await service.parts.perspectives?.release('accounts', old);
      await until(async () => !(await errors()).includes('retrying'));
      await parked();
      await attachFrom(connections, 0);
      await service.parts.perspectives?.release('accounts', old);
      await until(() => stateOf(service)?.parked === 0);
      assert.equal(await amounts(old), [99, 1, 2, 3, 4]);
      await book(service, [old], 1);
      assert.equal(await amounts(old), [99, 1, 2, 3, 4, 1]);
    }),
  ));

test('an event that happened after the archived ones of its stream is not late', () =>
  withPerspectiveHosts(({ url, owner, host }) =>
    withFolder(async (folder) => {
      await useSegmentsOf(url, 10);
      const service = host([accounts()]);
      const [old, other] = [account(), account()];
      await book(service, [old, other], 10);
      await archiveAll(url, { database: owner, owner }, folder);
      await service.eventStore.append(old, booked(11), { occurredAt: new Date().toISOString() });
      await book(service, [old], 1);
      assert.equal((await modelOf<Account>(owner, old))?.amounts, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 1]);
    }),
  ));
