import * as assert from 'uvu/assert';
import type { StoredEvent } from '../../contracts/event-store.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { postgresInbox } from '../../runtime/inbox/postgres-inbox.js';
import { eventOf } from '../../runtime/inbox/received-rows.js';
import { listParked } from '../../runtime/perspectives/parked/parked-rows.js';
import { perspectiveTable } from '../../runtime/perspectives/tables/perspective-table.js';
import { ForeignStore } from '../../runtime/testing/foreign-events.js';
import { type Account, account, accounts, booked, Booked } from '../testing/accounts-perspective.js';
import {
  modelOf,
  positionOf,
  stateOf,
  timeoutSignal,
  systemStreamLike,
  withPerspectiveHosts,
} from '../testing/perspective-hosts.js';
import { until } from '../../runtime/kit/until.js';

const test = suite('parked rows');

test('rows that can be folded do not wait for rows that cannot', () =>
  withPerspectiveHosts(async ({ owner, host }) => {
    const service = host([accounts()]);
    for (let n = 0; n < 300; n++) await service.eventStore.append(account(), booked(1, 'poison'));
    const good = account();
    // If each of them got only the 150 ms of two pauses, this would take 45 s.
    await service.caughtUp(
      'accounts',
      await positionOf(service.eventStore.append(good, booked(1))),
      timeoutSignal(),
    );
    await until(() => stateOf(service)?.parked === 300);
    assert.equal((await modelOf<Account>(owner, good))?.amounts, [1]);
  }));

test('a row is parked and retried although its error ends within a character', () =>
  withPerspectiveHosts(async ({ owner, host }) => {
    let isFaulty = true;
    const fail = () => {
      if (isFaulty) throw new TypeError('\u{1f600}'.repeat(1_000));
    };
    const apply = (model: Account): Account => {
      fail();
      return { ...model, sum: 1 };
    };
    const key = () => {
      fail();
      return 'one';
    };
    const service = host([accounts({ apply }), accounts({ name: 'keyed', apply, key, late: 'apply' })]);
    const stream = account();
    const position = await positionOf(service.eventStore.append(stream, [booked(1), booked(2)]));
    for (const name of ['accounts', 'keyed']) await service.caughtUp(name, position, timeoutSignal());
    const parked = { text: "SELECT count(*), min(error) FROM svc_stuck_work WHERE state = 'parked'" };
    await until(async () => (await owner.rows(parked))[0]?.[0] === '3');
    assert.match((await owner.rows(parked))[0]?.[1] ?? '', /^TypeError: \u{1f600}+\ufffd$/u);
    for (const name of ['accounts', 'keyed']) await service.parts.perspectives?.release(name);
    await until(async () => (await owner.rows(parked))[0]?.[0] === '3');
    isFaulty = false;
    for (const name of ['accounts', 'keyed']) await service.parts.perspectives?.release(name);
    await until(async () => (await modelOf<Account>(owner, stream))?.sum === 1);
    await until(() => stateOf(service, 'keyed')?.parked === 0);
  }));

test('in development a row is parked when apply changes the event, which others share', () =>
  withPerspectiveHosts(async ({ owner, host }) => {
    const apply = (model: Account, { payload }: StoredEvent): Account => {
      const changed = payload as { amount: number };
      changed.amount *= 2;
      return { ...model, sum: changed.amount };
    };
    const service = host([accounts({ name: 'doubled', apply }), accounts()]);
    service.parts.freezesEvents = true;
    const stream = account();
    const position = await positionOf(service.eventStore.append(stream, booked(7)));
    for (const name of ['accounts', 'doubled']) await service.caughtUp(name, position, timeoutSignal());
    const parked = { text: "SELECT min(error) FROM svc_stuck_work WHERE state = 'parked'" };
    await until(async () => (await owner.rows(parked))[0]?.[0] !== null);
    assert.match((await owner.rows(parked))[0]?.[0] ?? '', /^TypeError: .*read only property 'amount'/);
    assert.is((await modelOf<Account>(owner, stream))?.sum, 7);
  }));

test('readers keep a row as it was when its release, or a late event, cannot be folded', () =>
  withPerspectiveHosts(async ({ owner, host }) => {
    let fails = (event: StoredEvent): boolean => (event.payload as Booked).amount === 13;
    const apply = (model: Account, event: StoredEvent): Account => {
      if (fails(event)) throw new RangeError('cannot book this');
      const { amount } = event.payload as Booked;
      return { amounts: [...model.amounts, amount], sum: model.sum + amount };
    };
    const service = host([accounts({ apply })]);
    const [stuck, late] = [account(), account()];
    await service.eventStore.append(late, [booked(1), booked(2)]);
    const position = await positionOf(service.eventStore.append(stuck, [booked(1), booked(2), booked(13)]));
    await service.caughtUp('accounts', position, timeoutSignal());
    fails = () => true;
    await service.parts.perspectives?.release('accounts', stuck);
    const released = "SELECT 1 FROM svc_stuck_work WHERE state = 'retrying' OR attempts = 3";
    await until(async () => (await owner.rows({ text: released })).length === 0);
    assert.equal((await modelOf<Account>(owner, stuck))?.amounts, [1, 2]);
    const hourAgo = { occurredAt: new Date(Date.now() - 3_600_000).toISOString() };
    const lateOne = await positionOf(service.eventStore.append(late, booked(0), hourAgo));
    await service.caughtUp('accounts', lateOne, timeoutSignal());
    await until(() => stateOf(service)?.parked === 2);
    assert.equal((await modelOf<Account>(owner, late))?.amounts, [1, 2]);
    fails = () => false;
    assert.is(await service.parts.perspectives?.release('accounts'), 2);
    await until(() => stateOf(service)?.parked === 0);
    assert.equal((await modelOf<Account>(owner, stuck))?.amounts, [1, 2, 13]);
    assert.equal((await modelOf<Account>(owner, late))?.amounts, [0, 1, 2]);
  }));

test('a row whose stream arrived without its beginning waits, and is folded when the beginning arrives', () =>
  withPerspectiveHosts(async ({ owner, host }) => {
    const apply = (model: Account, event: StoredEvent): Account => {
      const { amount } = event.payload as Booked;
      if (amount > 1 && model.amounts.length === 0) throw new TypeError('nothing to add to');
      return { amounts: [...model.amounts, amount], sum: model.sum + amount };
    };
    const service = host([accounts({ apply, origin: 'all' })]);
    await service.parts.perspectives?.started;
    const inbox = postgresInbox(owner, newUuid());
    await inbox.acquireLease(60_000);
    const [elsewhere, stream] = [new ForeignStore(), account()];
    const sent = [1, 2, 3].map((amount) =>
      elsewhere.event(stream, { messageType: 'Booked', payload: { amount, text: '' } }),
    );
    await inbox.storeEvents(sent.slice(1).map(eventOf), 60_000);
    await until(() => stateOf(service)?.parked === 1);
    const { table } = perspectiveTable(accounts({ origin: 'all' }));
    await until(async () => (await listParked(owner, table)).length === 1);
    assert.is((await listParked(owner, table))[0]?.waitsFor, 1);
    await inbox.storeEvents(sent.slice(0, 1).map(eventOf), 60_000);
    await until(() => stateOf(service)?.parked === 0);
    assert.equal((await modelOf<Account>(owner, stream))?.amounts, [1, 2, 3]);
  }));

test('no report or record of a failure holds a sensitive value, wherever apply or the store got it from', () =>
  withPerspectiveHosts(async ({ owner, host }) => {
    const secret = 'swordfish-4711';
    const keep = (model: Account, { payload }: StoredEvent): Account =>
      ({ ...model, text: (payload as Booked).text }) as Account;
    const apply = (model: Account, event: StoredEvent): Account => {
      const { amount, text } = event.payload as Booked;
      if (amount === 13) throw new RangeError(`${JSON.stringify(model)} with ${text.toUpperCase()}`);
      return keep(model, event);
    };
    const columns = {
      text: { type: 'numeric' as const, of: (model: Account) => String(Object(model).text) },
    };
    const service = host([accounts({ apply }), accounts({ name: 'columned', columns, apply: keep })], {
      attempts: 1,
    });
    service.parts.policy.redact(Booked, (event) => ({ ...(event as object), text: '[redacted]' }));
    const position = await positionOf(
      service.eventStore.append(account(), [booked(1, secret), booked(13, secret)]),
    );
    for (const name of ['accounts', 'columned']) await service.caughtUp(name, position, timeoutSignal());
    await until(async () => (await systemStreamLike(owner, 'PerspectiveFailed')).length === 2);
    const parked = (await owner.rows({ text: 'SELECT error FROM svc_stuck_work ORDER BY follower' })).flat();
    assert.match(parked[0] ?? '', /^RangeError: \[redacted\] \(\d+ characters\) at parked-rows\S+:\d+:\d+$/);
    assert.match(
      parked[1] ?? '',
      /^invalid-model: Column 'text' is numeric and cannot hold a text of 14 characters/,
    );
    const texts = JSON.stringify([parked, await systemStreamLike(owner, 'PerspectiveFailed')]).toLowerCase();
    assert.not.match(texts, /swordfish/);
  }));
