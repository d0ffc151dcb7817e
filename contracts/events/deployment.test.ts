import * as assert from 'uvu/assert';
import { auditMarkOf } from '../audit.js';
import { SystemEvent } from '../message.js';
import { faultsOf } from '../record-class.js';
import { suite } from '../testing/suite.js';
import {
  DeploymentCompleted,
  DeploymentReverted,
  DeploymentStageReached,
  DeploymentStarted,
} from './deployment.js';

const test = suite('events/deployment');

const deployment = {
  id: '0190b5d4-0000-7000-8000-000000000001',
  deploymentId: '0190b5d4-0000-7000-8000-000000000002',
  service: 'orders',
  strategy: 'canary',
  revision: '1.5.0',
  previousRevision: '1.4.2',
  actor: 'ann',
};
const timestamp = '2026-03-01T09:30:00Z';

test('each event of a deployment names the deployment, both revisions and who started it', () => {
  const started = { ...deployment, timestamp };
  const reached = { ...deployment, toNew: 25, timestamp };
  const reverted = { ...deployment, toNew: 25, reason: 'errors: 7.5 % of 240 requests', timestamp };
  for (const [event, given] of [
    [new DeploymentStarted(started), started],
    [new DeploymentStageReached(reached), reached],
    [new DeploymentCompleted(started), started],
    [new DeploymentReverted(reverted), reverted],
  ] as const) {
    assert.is(JSON.stringify(event), JSON.stringify(given));
    assert.equal(faultsOf(event), []);
    assert.ok(event instanceof SystemEvent);
  }
});

test('the first deployment has no previous revision', () => {
  const { previousRevision: _, ...first } = deployment;
  assert.equal(faultsOf(new DeploymentStarted({ ...first, timestamp })), []);
});

test('a deployment is not reverted without a reason', () => {
  const made: unknown = Reflect.construct(DeploymentReverted, [{ ...deployment, toNew: 10, timestamp }]);
  assert.equal(
    faultsOf(made as object).map(({ path }) => path),
    ['/reason'],
  );
});

test('events of a deployment are never audited themselves', () => {
  for (const type of [DeploymentStarted, DeploymentStageReached, DeploymentCompleted, DeploymentReverted])
    assert.is(auditMarkOf(type)?.exclude, true);
});
