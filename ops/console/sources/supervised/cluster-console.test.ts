import * as assert from 'uvu/assert';
import type { Problem } from '../../../../contracts/problems.js';
import { suite } from '../../../../contracts/testing/suite.js';
import { operatorActions, selectedHost, reads } from '../../server/api-handlers.js';
import { aRequest } from '../../../testing/scripted-host.js';
import { type InProcessPeer, inProcessPeers } from '../../../testing/in-process-peer.js';

const test = suite('console source of a supervised host');

const ask = async (
  { console }: InProcessPeer,
  path: string,
  query: Record<string, string> = {},
  params: Record<string, string> = {},
): Promise<unknown> =>
  (reads[path] ?? operatorActions[path])?.(selectedHost(console, query), {
    query,
    params,
    body: {},
    actor: 'console',
  });

test('every host answers for all hosts, or for the one that is named', async () => {
  const [one, other] = inProcessPeers('oven-1', 'oven-2').hosts;
  one.scripted.requests.push(aRequest('a'));
  other.scripted.requests.push(aRequest('b'));
  for (const host of [one, other]) {
    const all = (await ask(host, '/requests')) as { id: string; host: string }[];
    assert.equal(all.map((request) => `${request.host} ${request.id}`).toSorted(), ['oven-1 a', 'oven-2 b']);
    const [only, ...more] = (await ask(host, '/requests', { host: 'oven-2' })) as { id: string }[];
    assert.equal([only?.id, more.length], ['b', 0]);
    const { counts } = (await ask(host, '/outbox')) as { counts: unknown };
    assert.equal(counts, { published: 2 });
    assert.is(((await ask(host, '/host', { host: 'oven-2' })) as { host: string }).host, 'oven-2');
  }
});

test('an action on the store is done once, by the host that received it', async () => {
  const [one, other] = inProcessPeers('oven-1', 'oven-2').hosts;
  await ask(one, '/dead-letters/:id/replay', {}, { id: '7' });
  await ask(one, '/perspectives/:name/release', { host: 'oven-2' }, { name: 'breads' });
  assert.equal([one.scripted.actions, other.scripted.actions], [['replay 7', 'release breads'], []]);
});

test('a host that does not answer is unreachable among all, and a problem when it is selected', async () => {
  const [one, other] = inProcessPeers('oven-1', 'oven-2').hosts;
  one.scripted.requests.push(aRequest('a'));
  other.isFrozen = true;
  assert.is(((await ask(one, '/requests')) as unknown[]).length, 1);
  const tree = (await ask(one, '/actors')) as { name: string; state: string }[];
  assert.equal(
    tree.map(({ name, state }) => [name, state]),
    [
      ['oven-1', 'running'],
      ['oven-2', 'unreachable'],
    ],
  );
  const refused = (error: Problem) => assert.is(error.code, 'host-silent');
  await ask(one, '/lifecycle', { host: 'oven-2' }).then(() => assert.unreachable(), refused);
  // The silent host may be the one that remembers it.
  await ask(one, '/requests/:id', {}, { id: 'x' }).then(() => assert.unreachable(), refused);
});

test('watching all makes every host keep traces, watching one only that host', () => {
  const [one, second, third] = inProcessPeers('oven-1', 'oven-2', 'oven-3').hosts;
  const attached = () => [one, second, third].map(({ feed }) => feed.attached);
  const endAll = one.console.select({})?.lifecycle?.watch();
  assert.equal(attached(), [1, 1, 1]);
  endAll?.();
  assert.equal(attached(), [0, 0, 0]);
  one.console.select({ host: 'oven-2' })?.lifecycle?.watch();
  assert.equal(attached(), [0, 1, 0]);
});
