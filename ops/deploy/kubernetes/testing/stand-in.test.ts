import * as assert from 'uvu/assert';
import { suite } from '../../../../contracts/testing/suite.js';
import type { HttpRoute } from '../objects.js';
import { mergePatch } from './merge-patch.js';
import { withStandIn } from './orders-cluster.js';
import { deployment, route } from './orders-objects.js';
import { schemaFaults } from './schemas.js';

const test = suite('the stand-in of the Kubernetes API');

const failureOf = async (sent: Promise<unknown>): Promise<string> => {
  try {
    await sent;
  } catch (error) {
    return String(error);
  }
  return 'it was accepted';
};

test('objects are held against the real schemas', async () => {
  assert.equal(await schemaFaults(deployment('blue', 'orders:1', 3)), []);
  assert.equal(await schemaFaults(route()), []);
  const wrong = { ...deployment('blue', 'orders:1', 3), spec: { replicas: '3' } };
  const faults = (await schemaFaults(wrong)).join('\n');
  assert.match(faults, '/spec/replicas type');
  assert.match(faults, 'missingProperty":"template"');
});

test('a key that the schema does not know is found at any depth', async () => {
  const blue = deployment('blue', 'orders:1', 3);
  const [host, ...others] = blue.spec.template.spec.containers;
  const containers = [{ ...host, imagePullpolicy: 'Always' }, ...others];
  const template = { ...blue.spec.template, spec: { containers } };
  assert.equal(await schemaFaults({ ...blue, spec: { ...blue.spec, template, paused: false } }), [
    '/spec/template/spec/containers/0/imagePullpolicy is not a field',
  ]);
  const weights = { ...route(), spec: { rules: [{ backendRefs: [{ name: 'a', port: 80, weights: 1 }] }] } };
  assert.equal(await schemaFaults(weights), ['/spec/rules/0/backendRefs/0/weights is not a field']);
});

test('a weight beyond the limits of the Gateway API is refused', async () => {
  const rules = [{ backendRefs: [{ name: 'orders-blue', port: 80, weight: 1_000_001 }] }];
  assert.match((await schemaFaults({ ...route(), spec: { rules } })).join(), 'maximum');
});

test('a merge patch replaces lists, merges objects and removes what is null', () => {
  assert.equal(mergePatch({ a: [1, 2], b: { c: 1, d: 2 }, e: 1 }, { a: [3], b: { c: null }, f: {} }), {
    a: [3],
    b: { d: 2 },
    e: 1,
    f: {},
  });
});

test('a patch needs the version it was made from, and that version must be the newest', () =>
  withStandIn(async ({ rest, paths }) => {
    const path = `${paths.core}/services/orders`;
    const patch = (resourceVersion?: string) =>
      rest('PATCH', path, { metadata: { resourceVersion, labels: { a: 'b' } } });
    assert.match(await failureOf(patch()), ' 422 ');
    const { metadata } = await rest<{ metadata: { resourceVersion: string } }>('GET', path);
    await patch(metadata.resourceVersion);
    const late = rest('PATCH', path, {
      metadata: { resourceVersion: metadata.resourceVersion, labels: { a: 'c' } },
    });
    assert.match(await failureOf(late), ' 409 ');
  }));

test('a change of a selector, an unknown field, a second object of one name and a missing one are refused', () =>
  withStandIn(async ({ rest, paths }) => {
    const path = `${paths.apps}/deployments/orders-blue`;
    const { metadata } = await rest<{ metadata: { resourceVersion: string } }>(
      'GET',
      `${paths.core}/services/orders`,
    );
    const service = (spec: object) =>
      rest('PATCH', `${paths.core}/services/orders`, {
        metadata: { resourceVersion: metadata.resourceVersion },
        spec,
      });
    assert.match(await failureOf(service({ selectors: {} })), 'selectors is not a field');
    const create = rest('POST', `${paths.apps}/deployments`, deployment('blue', 'a', 1));
    assert.match(await failureOf(create), 'AlreadyExists');
    assert.match(await failureOf(rest('GET', `${path}-2`)), ' 404 ');
  }));

test('a watch sends what has changed since a version, and everything after', () =>
  withStandIn(async ({ api, driver }) => {
    const answer = await fetch(
      `${api.url}/apis/gateway.networking.k8s.io/v1/namespaces/shop/httproutes?watch=1&resourceVersion=0`,
      { headers: { authorization: `Bearer ${api.token}` } },
    );
    const signal = AbortSignal.timeout(60_000);
    const target = await driver.prepare('0.9', undefined, signal);
    for (const toNew of [10, 50, 100]) await target.setWeights(toNew, signal);
    const shares: number[] = [];
    let text = '';
    for await (const chunk of answer.body as unknown as AsyncIterable<Uint8Array>) {
      text += new TextDecoder().decode(chunk);
      const lines = text.split('\n');
      text = lines.pop() ?? '';
      for (const line of lines) {
        const { object } = JSON.parse(line) as { object: HttpRoute };
        const [before, after] = object.spec.rules?.[0]?.backendRefs ?? [];
        assert.is((before?.weight ?? 0) + (after?.weight ?? 0), 100);
        shares.push(after?.weight ?? -1);
      }
      if (shares.length === 4) break;
    }
    assert.equal(shares, [0, 10, 50, 100]);
  }));
