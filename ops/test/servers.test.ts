import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { startAll, startPostgres } from './servers.js';

const test = suite('servers of a run');

test('If one server does not start, the others are stopped and its error is the failure', async () => {
  const stopped: string[] = [];
  const server = (name: string) =>
    Promise.resolve({ env: { [name]: 'url' }, stop: async () => void stopped.push(name) });
  const { env, stop } = await startAll([server('a'), server('b')]);
  assert.equal([env, stopped], [{ a: 'url', b: 'url' }, []]);
  await stop();
  assert.equal(stopped.splice(0), ['a', 'b']);
  const failure = new RangeError('no program');
  const late = new Promise((resolve) => setImmediate(resolve)).then(() => server('c'));
  const error: unknown = await startAll([Promise.reject(failure), late]).catch((reason: unknown) => reason);
  assert.is(error, failure);
  assert.equal(stopped, ['c']);
});

test('After an interrupt no PostgreSQL is started', async () => {
  const { env } = await startPostgres(AbortSignal.abort());
  assert.equal(env, {});
});
