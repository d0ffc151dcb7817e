import * as assert from 'uvu/assert';
import { Command } from '../../contracts/message.js';
import { suite } from '../../contracts/testing/suite.js';
import { QuarantinedCommands } from './quarantined-commands.js';
import { RunningCommands, runningCommandsBytes } from './running-commands-shared-memory.js';
import { createActor } from 'xstate';
import { commandHandler } from './command-handler.js';
import type { QueuedCommand } from './waiting-commands.js';

const test = suite('command quarantine');

class Bake extends Command {}

const soon = () => Date.now() + 3_600_000;
const bake = (key?: string, idempotencyKey?: Uint8Array) => ({ command: new Bake(), key, idempotencyKey });

test('a command in quarantine is refused with a retry time, all others pass', () => {
  const quarantine = new QuarantinedCommands();
  assert.is(quarantine.refusalOf('Bake', bake()), undefined);
  quarantine.replace([{ command: 'Bake', until: soon() }]);
  const refusal = quarantine.refusalOf('Bake', bake('7'));
  assert.equal([refusal?.code, refusal?.status], ['quarantined', 503]);
  assert.ok(Number(refusal?.retryAfter) > 3_000 && Number(refusal?.retryAfter) <= 3_600);
  assert.is(quarantine.refusalOf('Sell', bake()), undefined);
  quarantine.replace([]);
  assert.is(quarantine.refusalOf('Bake', bake()), undefined);
});

test('when the key is known, only that key is refused', () => {
  const quarantine = new QuarantinedCommands();
  quarantine.replace([{ command: 'Bake', key: 'ab12', until: soon() }]);
  assert.ok(quarantine.refusalOf('Bake', bake('ab12')));
  assert.ok(quarantine.refusalOf('Bake', bake(undefined, Buffer.from('ab12', 'hex'))));
  for (const other of [bake('ab13'), bake(), bake('oven', Buffer.from('ab12', 'hex'))])
    assert.is(quarantine.refusalOf('Bake', other), undefined);
});

test('a quarantine expires', () => {
  const quarantine = new QuarantinedCommands();
  quarantine.replace([{ command: 'Bake', until: Date.now() - 1 }]);
  assert.is(quarantine.refusalOf('Bake', bake()), undefined);
  assert.equal(quarantine.entries, []);
});

test('the handler refuses the command before the receptor runs, and handles it after the release', () => {
  let handled = 0;
  const quarantine = new QuarantinedCommands();
  const guard = { quarantine, watch: new RunningCommands(new SharedArrayBuffer(runningCommandsBytes)) };
  const receptor = { handle: () => ++handled };
  const handler = createActor(commandHandler, { input: { name: 'Bake', receptor, guard } }).start();
  const outcomes: unknown[] = [];
  const enter = () => {
    const attempt = {
      ...bake(),
      work: undefined as unknown as QueuedCommand['work'],
      status: 'none',
      slot: 0,
      keys: undefined,
      ticket: undefined,
      isInvokedBy: () => false,
      succeed: (result: unknown) => void outcomes.push(result),
      fail: (error: unknown) => void outcomes.push((error as { code?: string }).code),
    } satisfies Partial<QueuedCommand> as QueuedCommand;
    handler.send({ type: 'enter', attempt });
    handler.send({ type: 'leave', attempt });
  };
  enter();
  quarantine.replace([{ command: 'Bake', until: soon() }]);
  enter();
  quarantine.replace([]);
  enter();
  assert.equal(outcomes, [1, 'quarantined', 2]);
  assert.equal(guard.watch.read().inFlight, []);
});
