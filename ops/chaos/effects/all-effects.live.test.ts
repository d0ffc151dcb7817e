import { suite } from '../../../contracts/testing/suite.js';
import { caps } from './caps.js';
import { deadlyCall } from './deadly-call.js';
import { mustKeepItsPromises } from '../testing/effects-keep-promises.js';
import { longCall } from './long-call.js';
import { longLane } from './long-lane.js';
import { zombie } from './zombie.js';

const test = suite('calls of other systems');

/** Short, so that another host takes over soon. */
const settings = { leaseMs: 2_000, renewMs: 600, claims: { claimMs: 3_000, beatMs: 900 } };

test('a call over rolling restarts continues from its progress, and its outcome is stored once', () =>
  mustKeepItsPromises(longCall({ parts: 20, partMs: 100, between: 8, settings })));

test('a host that wakes up after its claims stores nothing of the answers that it finds', () =>
  mustKeepItsPromises(zombie({ frozenMs: 8_000, afterMs: 500, takenOverMs: 60_000, settings })));

test('requests of 200 lanes do not wait behind 5,000 of one', () =>
  mustKeepItsPromises(longLane({ requests: 5_000, ticks: 50, settings })));

test('a request whose answer kills its host is parked after five hosts, and the others are done', () =>
  mustKeepItsPromises(deadlyCall({ requests: 96, withinMs: 120_000, settings })));

test('hosts that are killed never exceed a concurrency of five, or a rate of 50 a second', () =>
  mustKeepItsPromises(caps({ requests: 400, kills: 2, takenOverMs: 60_000, settings })));
