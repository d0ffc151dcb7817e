import * as assert from 'uvu/assert';
import type { HookFailed } from '../../contracts/events/error.js';
import { Command } from '../../contracts/message.js';
import { Problem } from '../../contracts/problems.js';
import { faultsOf } from '../../contracts/record-class.js';
import { suite } from '../../contracts/testing/suite.js';
import { Cancellation } from '../lang/cancellation.js';
import { Secrets } from '../logging/secrets.js';
import { RequestContext, runOf } from '../request/request-context.js';
import { buildCommandFailed, buildHookFailed } from './build-failure-events.js';

const test = suite('build failed');

class OpenShop extends Command {}
const context = (more: object = {}) =>
  new RequestContext({ transport: 'local', cancellation: new Cancellation(), ...more });

test('a CommandFailed records what failed, for whom, and whether the error-hook recovered', () => {
  const asked = context({
    correlationId: 'c',
    causationId: 'd',
    scope: { tenantId: 'acme', userId: 'ada', allowedPrincipals: [], extensions: {} },
  });
  asked.metadata['receptorName'] = 'Opener';
  const problem = new Problem('shop-closed', { detail: 'It is Sunday.' });
  const { id: _, timestamp, ...failed } = buildCommandFailed(new OpenShop(), problem, true, asked);
  assert.ok(Date.parse(timestamp) > 0);
  assert.equal(
    { ...failed },
    {
      commandType: 'OpenShop',
      receptorName: 'Opener',
      error: { name: 'Problem', message: 'It is Sunday.', code: 'shop-closed' },
      recovered: true,
      correlationId: 'c',
      causationId: 'd',
      tenantId: 'acme',
      userId: 'ada',
    },
  );
});

test('any thrown value makes a valid record', () => {
  class Odd extends Error {
    override readonly name = 7 as never;
    readonly code = { toString: () => 'E_ODD' };
  }
  const thrown = [
    new DOMException('stopped', 'AbortError'),
    Object.assign(new Error('no'), { code: 42 }),
    Object.assign(new Error('no'), { code: null }),
    new Odd('odd'),
    'a string',
    undefined,
    null,
    Symbol('s'),
    Object.create(null),
    new Error('a\u0000b'),
  ];
  for (const error of thrown) {
    const failed = buildCommandFailed(new OpenShop(), error, false, context());
    assert.equal(faultsOf(failed), []);
    const hook = buildHookFailed('onBeforeExecute', 'OpenShopEndpoint', error, { correlationId: 'c' });
    assert.equal(hook && faultsOf(hook), []);
  }
});

test('the code of an error is recorded as text', () => {
  const { error } = buildCommandFailed(new OpenShop(), new DOMException('s', 'AbortError'), false, context());
  assert.equal({ ...error }, { name: 'AbortError', message: 's', code: '20' });
});

test('a hook that throws a 4xx problem has responded, not failed', () => {
  for (const status of [400, 422, 499])
    assert.is(buildHookFailed('onBeforeExecute', 'E', new Problem('x', { status })), undefined);
  for (const status of [399, 500, 503])
    assert.ok(buildHookFailed('onBeforeExecute', 'E', new Problem('x', { status })));
});

test('a HookFailed names hook, endpoint and correlation', () => {
  const failed = buildHookFailed('onAfterExecute', 'OpenShopEndpoint', new TypeError('no'), {
    correlationId: 'c',
  });
  const { id: _, timestamp: __, ...fields } = failed as HookFailed;
  assert.equal(
    { ...fields },
    {
      hook: 'onAfterExecute',
      endpoint: 'OpenShopEndpoint',
      error: { name: 'TypeError', message: 'no' },
      correlationId: 'c',
    },
  );
});

test('the message of an error has no value of a sensitive field, and everything else', () => {
  const asked = context();
  runOf(asked).hide(() => new Secrets().add({ card: '4111' }, { card: '[redacted]' }));
  for (const thrown of [new TypeError('No card 4111'), 'No card 4111']) {
    const errors = [
      buildCommandFailed(new OpenShop(), thrown, false, asked).error,
      buildHookFailed('onBeforeExecute', 'E', thrown, asked)?.error,
    ];
    for (const error of errors) assert.is(error?.message, 'No card [redacted]');
  }
});
