import * as assert from 'uvu/assert';
import { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import type { ServiceDefinition } from '../../endpoints/service-definition.js';
import { webhookSender } from '../../endpoints/webhooks/webhook-sender.js';
import { readConfig } from '../config/config.js';
import { mustHaveMasterKey } from './subjects.js';

const test = suite('webhooks of a host');

const definition: ServiceDefinition = {
  name: 'shop',
  create: () => ({ endpoints: [], receptors: [] }),
};
const key = Buffer.alloc(32).toString('base64');
const start = (env: Record<string, string>, registry: Parameters<typeof mustHaveMasterKey>[2]): void =>
  mustHaveMasterKey(definition, readConfig(env), registry);

test('a service with webhooks and without a master key does not start', () => {
  const registry = { webhooks: [webhookSender([])] };
  assert.throws(
    () => start({}, registry),
    (error: unknown) =>
      error instanceof Problem && /^The secrets of webhooks.*set SVC_MASTER_KEY/.test(error.message),
  );
  start({ SVC_MASTER_KEY: key }, registry);
});

test('a service without webhooks needs none', () => {
  start({}, {});
  start({}, { webhooks: [] });
});
