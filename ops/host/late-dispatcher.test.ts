import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Command } from '../../contracts/message.js';
import { Problem } from '../../contracts/problems.js';
import { LateDispatcher } from './late-dispatcher.js';

const test = suite('late dispatcher');

class Bake extends Command {}

test('before there is a dispatcher a command is refused', async () => {
  const failure: unknown = await new LateDispatcher()
    .localInvoke(new Bake())
    .catch((error: unknown) => error);
  assert.ok(failure instanceof Problem && failure.status === 503);
});

test('from then on it passes on what it is given', async () => {
  const late = new LateDispatcher();
  const given: unknown[] = [];
  late.becomes({
    localInvoke: <T>(...args: unknown[]) => {
      given.push(...args);
      return Promise.resolve('baked' as T);
    },
  });
  const command = new Bake();
  const { signal } = new AbortController();
  assert.is(await late.localInvoke(command, signal), 'baked');
  assert.equal(given, [command, signal, undefined]);
});

test.run();
