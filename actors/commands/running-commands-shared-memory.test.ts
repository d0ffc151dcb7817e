import * as assert from 'uvu/assert';
import { Command } from '../../contracts/message.js';
import { suite } from '../../contracts/testing/suite.js';
import { RunningCommands, runningCommandsBytes } from './running-commands-shared-memory.js';

const test = suite('command watch');

class Bake extends Command {
  oven = '';
}

const receptor = { handle: () => undefined };

/** The same memory, as another thread sees it. */
function bothSides() {
  const memory = new SharedArrayBuffer(runningCommandsBytes);
  return { here: new RunningCommands(memory), there: new RunningCommands(memory) };
}

const baking = { command: new Bake(), key: undefined };

test('another thread can read while a command is registered', () => {
  const memory = new SharedArrayBuffer(runningCommandsBytes);
  const [here, there, numbers] = [
    new RunningCommands(memory),
    new RunningCommands(memory),
    new Int32Array(memory),
  ];
  here.started(here.register('Bake', receptor));
  const before = [...numbers];
  here.started(here.register('Sell', receptor));
  const after = [...numbers];
  // The bytes are written before the numbers.
  numbers.set(before.slice(0, 5));
  assert.equal(there.read().inFlight, ['Bake']);
  numbers.set(after.slice(0, 5));
  assert.equal(there.read().inFlight, ['Bake', 'Sell']);
});

test('another thread sees which command occupies the loop, and when it no longer does', () => {
  const { here, there } = bothSides();
  const [bake, sell] = [here.register('Bake', receptor), here.register('Sell', receptor)];
  assert.equal(there.read(), { heartbeat: 0, running: undefined, inFlight: [] });
  here.heartbeat();
  here.started(bake);
  const before = here.enter(bake, { ...baking, key: 'oven 7', correlationId: 'c-1' });
  const running = { command: 'Bake', key: 'oven 7', correlationId: 'c-1' };
  assert.equal(there.read(), { heartbeat: 1, running, inFlight: ['Bake'] });
  const outer = here.enter(sell, baking);
  assert.equal(there.read().running, { command: 'Sell' });
  here.leave(outer);
  assert.equal(there.read().running, { command: 'Bake' });
  here.leave(before);
  assert.equal(there.read(), { heartbeat: 1, running: undefined, inFlight: ['Bake'] });
  here.ended(bake);
  assert.equal(there.read().inFlight, []);
});

test('without a mailbox key the idempotency key identifies a command; a key that is too long does not count', () => {
  const { here, there } = bothSides();
  const bake = here.register('Bake', receptor);
  const keyOf = (key: string | undefined, idempotencyKey?: Uint8Array) => {
    here.leave(here.enter(bake, { ...baking, key, idempotencyKey }) * 0);
    here.enter(bake, { ...baking, key, idempotencyKey });
    return there.read().running?.key;
  };
  assert.is(keyOf(undefined, Buffer.from('abcd', 'hex')), 'abcd');
  assert.is(keyOf('Öfen 🍞', Buffer.from('abcd', 'hex')), 'Öfen 🍞');
  assert.is(keyOf('x'.repeat(255)), 'x'.repeat(255));
  assert.is(keyOf('€'.repeat(255)), '€'.repeat(255));
  assert.is(keyOf('x'.repeat(256)), undefined);
});

test('commands beyond the size of the table are not distinguished, and do no harm', () => {
  const { here, there } = bothSides();
  for (let n = 0; n < 1_000; n++) assert.is(here.register(`Bake${n}`, receptor), n + 1);
  const beyond = here.register('BakeMore', receptor);
  here.started(beyond);
  here.enter(beyond, baking);
  assert.equal(there.read(), { heartbeat: 0, running: undefined, inFlight: [] });
  here.enter(1_000, baking);
  assert.equal(there.read().running, { command: 'Bake999' });
});

test('the running command is identified by its receptor, and its key by the command it was given', () => {
  const { here } = bothSides();
  const keyed = { handle: () => undefined, key: ({ oven }: Command & { oven?: string }) => oven ?? '' };
  here.register('Bake', keyed);
  assert.equal(here.commandOf(keyed, Bake.of({ oven: '7' })), { command: 'Bake', key: '7' });
  assert.equal(here.commandOf(keyed, undefined), { command: 'Bake' });
  assert.equal(here.commandOf(keyed, null), { command: 'Bake' });
  assert.is(here.commandOf({}, Bake.of({ oven: '7' })), undefined);
});
