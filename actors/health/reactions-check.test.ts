import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import {
  noTimers,
  type ReactionBacklog,
  type TimerBacklog,
} from '../../runtime/reactions/reaction-backlog.js';
import { runCheck } from '../testing/run-check.js';
import { reactionsCheck, timersCheck } from './reactions-check.js';

const test = suite('checks of reactions and timers');

const reactions = (backlog: Partial<ReactionBacklog>) =>
  runCheck(
    reactionsCheck(() =>
      Promise.resolve([
        { name: 'reserve-stock', lag: 0, oldestSeconds: 0, parked: 0, parkedKey: undefined, ...backlog },
      ]),
    ),
  );
const timers = (backlog: Partial<TimerBacklog>) =>
  runCheck(timersCheck(() => Promise.resolve({ ...noTimers, ...backlog })));

test('a parked key makes reactions Degraded, and is named with its reaction', async () => {
  assert.equal(await reactions({}), { status: 'Healthy' });
  assert.equal(await reactions({ parked: 1, parkedKey: 'order-7' }), {
    status: 'Degraded',
    detail: 'reserve-stock has parked order-7.',
  });
  assert.is(
    (await reactions({ parked: 3, parkedKey: 'a' })).detail,
    'reserve-stock has parked a, and 2 more keys.',
  );
});

test('an event that waits for more than 30 s makes reactions Degraded', async () => {
  assert.equal(await reactions({ lag: 900, oldestSeconds: 30 }), { status: 'Healthy' });
  assert.equal(await reactions({ lag: 900, oldestSeconds: 31.4 }), {
    status: 'Degraded',
    detail: 'reserve-stock is 900 events behind; the oldest waits 31 s.',
  });
});

test('a reaction that has failed twice makes reactions Degraded, with its key and its reason', async () => {
  const failing = { key: 'order-7', attempts: 3, error: 'CardError: the bank answered 503.' };
  assert.equal(await reactions({ oldestSeconds: 4, failing }), {
    status: 'Degraded',
    detail: 'reserve-stock has failed 3 times at order-7: CardError: the bank answered 503.',
  });
});

test('an event that is tried again for more than 30 s makes reactions Degraded', async () => {
  assert.equal(await reactions({ oldestSeconds: 35.2 }), {
    status: 'Degraded',
    detail: 'reserve-stock tries an event again that has failed for 35 s.',
  });
});

test('a timer that is parked or more than 10 s late makes timers Degraded', async () => {
  const timer = { name: 'reminder', key: 'order-7' };
  assert.equal(await timers({ lateSeconds: 10, late: timer }), { status: 'Healthy' });
  assert.is(
    (await timers({ lateSeconds: 11, late: timer })).detail,
    'The timer reminder of order-7 is 11 s late.',
  );
  const nightly = { name: 'nightly-close', key: '' };
  assert.is(
    (await timers({ parked: 2, parkedTimer: nightly })).detail,
    'The timer nightly-close is parked, and 1 more timer.',
  );
});

test('a key is shown on one line and shortened, whatever it is', async () => {
  const { detail = '' } = await reactions({ parked: 1, parkedKey: `a\n\u001b[2J\u202e${'x'.repeat(5_000)}` });
  assert.match(detail, 'has parked a\\u000a\\u001b[2J\\u202exxx');
  assert.ok(detail.length < 100, detail);
});

test('without an answer of the store nothing is known: Degraded, never Unhealthy', async () => {
  const refused = () => Promise.reject(new Error('connection refused'));
  const silent = () => new Promise<never>(() => undefined);
  for (const read of [refused, silent]) {
    assert.equal(await runCheck(reactionsCheck(read)), {
      status: 'Degraded',
      detail: 'The progress of the reactions is unknown.',
    });
    assert.equal(await runCheck(timersCheck(read)), {
      status: 'Degraded',
      detail: 'It is unknown whether timers are late.',
    });
  }
});
