import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { until } from '../../runtime/kit/until.js';
import { perspectiveTable } from '../../runtime/perspectives/tables/perspective-table.js';
import { type Account, account, accounts, booked } from '../testing/accounts-perspective.js';
import {
  modelOf,
  positionOf,
  stateOf,
  timeoutSignal,
  withPerspectiveHosts,
} from '../testing/perspective-hosts.js';

const test = suite('a perspective whose table is dropped');

test('a dropped table stops its perspective with a clear error, and no other; it continues when the table is back', () =>
  withPerspectiveHosts(async ({ owner, host }) => {
    const service = host([accounts(), accounts({ name: 'ledger' })], {
      firstBackoffMs: 20,
      maxBackoffMs: 100,
    });
    const stream = account();
    await service.caughtUp(
      'accounts',
      await positionOf(service.eventStore.append(stream, booked(1))),
      timeoutSignal(),
    );
    const { table, view } = perspectiveTable(accounts());
    await owner.rows({ text: `DROP VIEW ${view}` });
    await owner.rows({ text: `ALTER TABLE ${table} RENAME TO gone` });
    const position = await positionOf(service.eventStore.append(stream, booked(2)));
    await service.caughtUp('ledger', position, timeoutSignal());
    await until(() => stateOf(service)?.state === 'failed');
    assert.match(stateOf(service)?.error ?? '', new RegExp(`relation "(public\\.)?${table}" does not exist`));
    await owner.rows({ text: `ALTER TABLE gone RENAME TO ${table}` });
    await service.caughtUp('accounts', position, timeoutSignal());
    assert.equal((await modelOf<Account>(owner, stream, table))?.amounts, [1, 2]);
    assert.is(stateOf(service)?.error, undefined);
  }));

test('a dropped table that a start creates again is filled from the first event', () =>
  withPerspectiveHosts(async ({ owner, host }) => {
    const first = host([accounts({ snapshotEvery: 2 })], { firstBackoffMs: 20, maxBackoffMs: 100 });
    const [old, both] = [account(), account()];
    await first.eventStore.append(old, [booked(1), booked(2), booked(3)]);
    await first.caughtUp(
      'accounts',
      await positionOf(first.eventStore.append(both, booked(4))),
      timeoutSignal(),
    );
    await owner.rows({ text: `DROP TABLE ${perspectiveTable(accounts()).table} CASCADE` });
    await first.eventStore.append(both, booked(5));
    await until(() => stateOf(first)?.state === 'failed');
    const second = host([accounts({ snapshotEvery: 2 })]);
    const position = await positionOf(second.eventStore.append(both, booked(6)));
    await until(async () => (await modelOf<Account>(owner, both).catch(() => undefined))?.sum === 15);
    await second.caughtUp('accounts', position, timeoutSignal());
    assert.equal((await modelOf<Account>(owner, old))?.amounts, [1, 2, 3]);
    assert.equal((await modelOf<Account>(owner, both))?.amounts, [4, 5, 6]);
    await until(() => stateOf(first)?.error === undefined);
  }));
