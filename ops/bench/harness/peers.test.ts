import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { startAll } from './peers.js';

const test = suite('bench peers');

const refuse = () => Promise.reject(new TypeError('does not start'));

test('a peer that does not start is reported, and the others are measured', async () => {
  const running: string[] = [];
  const start = ({ name }: { name: string }) => (name === 'peer' ? refuse() : Promise.resolve(name));
  const missing = await startAll([{ name: 'peer', isPeer: true }, { name: 'ours' }], start, running, {
    install: () => Promise.resolve(undefined),
  });
  assert.equal(running, ['ours']);
  assert.equal(missing, [{ variant: 'peer', reason: 'does not start' }]);
});

test('peers that cannot be installed are reported without being started', async () => {
  const running: string[] = [];
  const missing = await startAll(
    [{ name: 'peer', isPeer: true }, { name: 'ours' }],
    ({ name }) => Promise.resolve(name),
    running,
    { install: () => Promise.resolve('no network') },
  );
  assert.equal(running, ['ours']);
  assert.equal(missing, [{ variant: 'peer', reason: 'no network' }]);
});

test('nothing is installed for a bench without peers', async () => {
  const install = () => Promise.resolve('no network');
  const start = ({ name }: { name: string }) => Promise.resolve(name);
  let asked = 0;
  await startAll([{ name: 'ours' }], start, [], { install: () => (asked++, install()) });
  assert.is(asked, 0);
});

test('without our own variant there is nothing to compare', async () => {
  const failed = startAll([{ name: 'ours' }], refuse, [], { install: () => Promise.resolve(undefined) });
  assert.instance(await failed.catch((error: unknown) => error), TypeError);
});
