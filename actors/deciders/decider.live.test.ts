import * as assert from 'uvu/assert';
import type { StoredEvent } from '../../contracts/event-store.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { postgresKeptStates } from '../../runtime/deciders/postgres-kept-states.js';
import {
  Account,
  type AccountState,
  type Booked,
  type Closed,
} from '../../runtime/testing/account-decider.js';
import { collect } from '../../runtime/kit/collect.js';
import { withMigratedDatabase } from '../../runtime/testing/migrated-database.js';
import { until } from '../../runtime/kit/until.js';
import { accountHost, appendBooked, CountedStore } from '../testing/account-hosts.js';

const test = suite('deciders on PostgreSQL');

test('an event that evolve has seen after the commit is the one that PostgreSQL returns', () =>
  withMigratedDatabase(async ({ openStore }) => {
    const seen: StoredEvent[] = [];
    class Watched extends Account {
      override evolve(state: AccountState, event: StoredEvent<Booked | Closed>) {
        if (event.globalPosition > 0) seen.push(event);
        return super.evolve(state, event);
      }
    }
    const store = openStore('hydra');
    const { book, close } = accountHost(store, {}, new Watched());
    const account = newUuid();
    await book(account, 1);
    await book(account, -1);
    await close(account);
    assert.equal(seen, await collect(store.read(account)));
  }));

test('a kept state is stored with the rights of a host, and a cold host reads only what is later', () =>
  withMigratedDatabase(async ({ openStore, connect }) => {
    const kept = postgresKeptStates(connect());
    const store = new CountedStore(openStore());
    const account = newUuid();
    await appendBooked(store, account, ...Array.from({ length: 399 }, () => 1));
    await accountHost(store, { kept }).book(account, 1);
    const stateAt = () => kept.find({ decider: 'account', version: 1, streamId: account });
    await until(async () => (await stateAt()) !== undefined);
    const { eventsRead } = store;
    const cold = accountHost(store, { kept });
    assert.is(await cold.book(account, 1), 401);
    assert.ok(store.eventsRead - eventsRead <= 2);
    assert.is(cold.states.counts.snapshot, 1);
  }));

test('a newer version replaces what an older one kept, and a host may not write the table itself', () =>
  withMigratedDatabase(async ({ connect }) => {
    const database = connect();
    const kept = postgresKeptStates(database);
    const [streamId, eventId] = [newUuid(), newUuid()];
    const name = { decider: 'account', version: 1, streamId };
    const state = { position: 200, eventId, state: '{"balance":1}' };
    await kept.keep(name, state);
    assert.equal(await kept.find(name), state);
    await kept.keep({ ...name, version: 2 }, state);
    assert.is(await kept.find(name), undefined);
    const refused = await database.rows({ text: 'DELETE FROM svc_states' }).catch((error: unknown) => error);
    assert.match(String(refused), 'permission denied');
  }));

test('two hosts and 16 commands on one stream: conflicts are decided again, and no state is wrong', () =>
  withMigratedDatabase(async ({ openStore }) => {
    const hosts = [accountHost(openStore('a')), accountHost(openStore('b'))];
    const account = newUuid();
    const results = await Promise.allSettled(
      Array.from({ length: 16 }, (_, n) => hosts[n % 2]?.book(account, 1) ?? Promise.resolve(0)),
    );
    const done = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
    assert.equal(
      [...done].sort((a, b) => a - b),
      done.map((_, n) => n + 1),
    );
    const [one] = hosts;
    assert.is(await one?.book(account, 0), done.length);
  }));
