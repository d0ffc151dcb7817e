import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { stuckRequestIn } from './stuck-arguments.js';

const test = suite('arguments of svc stuck');

const refusalOf = (...args: readonly string[]): string => {
  try {
    stuckRequestIn(args);
    return 'none';
  } catch (error) {
    return (error as Error).message;
  }
};

const nothing = {
  follower: undefined,
  error: undefined,
  fingerprint: undefined,
  since: undefined,
  tenant: undefined,
};

test('a list takes every filter, and has a limit', () => {
  const filter = {
    follower: 'reaction/reserve-stock',
    error: 'no stock',
    fingerprint: '0123456789ab',
    since: '2026-11-18T07:00:00Z',
    tenant: 'acme',
  };
  const args = Object.entries(filter).flatMap(([name, value]) => [`--${name}`, value]);
  assert.equal(stuckRequestIn(['list', ...args, '--limit', '3', '--json']), {
    action: 'list',
    filter,
    limit: 3,
    json: true,
  });
  for (const follower of ['effect', 'effect/card-provider'])
    assert.equal(stuckRequestIn(['list', '--follower', follower]), {
      action: 'list',
      filter: { ...nothing, follower },
      limit: 200,
      json: false,
    });
  assert.equal(stuckRequestIn(['list']), { action: 'list', filter: nothing, limit: 200, json: false });
});

test('retry and skip take one id, a filter, or a plan, and always a reason', () => {
  const asked = (...args: readonly string[]) => {
    const request = stuckRequestIn([...args, '--reason', 'mended']);
    return request.action === 'retry' || request.action === 'skip' ? request.entries : undefined;
  };
  assert.equal(asked('retry', 'outbox/dead-letter@7'), { id: 'outbox/dead-letter@7' });
  assert.equal(asked('skip', '--follower', 'timers'), {
    filter: { ...nothing, follower: 'timers' },
    limit: 200_000,
    yes: false,
  });
  assert.equal(asked('skip', '--yes', '--limit', '1'), { filter: nothing, limit: 1, yes: true });
  assert.equal(asked('retry', '--yes', '--plan', '0123456789abcdef'), {
    plan: '0123456789abcdef',
    filter: nothing,
  });
  assert.match(refusalOf('retry', 'outbox/dead-letter@7'), 'retry needs --reason');
  assert.match(refusalOf('skip', '--yes', '--reason', ' '), 'skip needs --reason');
});

test('what would select something else than was meant is refused', () => {
  const because = ['--reason', 'mended'];
  for (const [expected, ...args] of [
    ['Give one action', 'release'],
    ['takes options, no id', 'list', 'outbox@1'],
    ['show ID', 'show'],
    ['not an option of show', 'show', 'outbox@1', '--limit', '3'],
    ['not an option of list', 'list', '--yes'],
    ['Give one id', 'show', 'outbox@1', 'outbox@2'],
    ['leave --error out', 'retry', 'outbox@1', '--error', 'x', ...because],
    ['leave --yes out', 'skip', 'outbox@1', '--yes', ...because],
    ['needs --yes', 'retry', '--plan', '0123456789abcdef', ...because],
    ['16 hexadecimal digits', 'retry', '--yes', '--plan', 'all', ...because],
    ['--follower must be', 'list', '--follower', 'reserve-stock'],
    ['--follower must be', 'list', '--follower', 'reaction/%'],
    ['part of the error', 'list', '--error', ' '],
    ['12 hexadecimal digits', 'list', '--fingerprint', 'abc'],
    ['must be a time', 'list', '--since', 'yesterday'],
    ['name of a tenant', 'list', '--tenant', ''],
    ['at most 500', 'list', '--error', 'x'.repeat(501)],
    ['from 1 to 10000', 'list', '--limit', '10001'],
    ['from 1 to 200000', 'retry', '--limit', '0', ...because],
  ])
    assert.match(refusalOf(...args), expected ?? '', args.join(' '));
});
