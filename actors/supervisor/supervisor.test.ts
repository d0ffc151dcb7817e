import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { impatientSupervisor, Watchman } from '../testing/watchman.js';
import { supervisedChildMachine } from './supervised-child-machine.js';
import { supervisorMachine } from './supervisor.js';

const test = suite('supervisor');

test('a child that supervises others shows them in the tree', async () => {
  const [tree, inner] = [impatientSupervisor(), impatientSupervisor()];
  await inner.start(new Watchman('orders', []));
  await tree.start({
    name: 'perspectives',
    start: () => ({ children: inner.tree, stop: () => inner.stop() }),
  });
  assert.equal(
    tree.tree[0]?.children?.map(({ name, state }) => [name, state]),
    [['orders', 'running']],
  );
  await tree.stop();
});

test('the mailbox of a kept resource is read when the tree is', async () => {
  const tree = impatientSupervisor();
  const queue: string[] = [];
  await tree.keep(
    'store',
    () => queue,
    () => undefined,
    ({ length }) => length,
  );
  queue.push('a', 'b');
  assert.is(tree.tree[0]?.mailbox, 2);
  await tree.stop();
});

test('every invoked actor has an onError, so that none can crash the process', () => {
  for (const machine of [supervisorMachine, supervisedChildMachine]) {
    const invoked = Object.values(machine.states).flatMap((node) => node.invoke);
    assert.ok(invoked.length > 0);
    for (const { src, onError } of invoked) assert.ok(onError, `${JSON.stringify(src)} has no onError`);
  }
});
