import * as assert from 'uvu/assert';
import { QuarantinedCommands } from '../actors/commands/quarantined-commands.js';
import { RunningCommands, runningCommandsBytes } from '../actors/commands/running-commands-shared-memory.js';
import { suite } from '../contracts/testing/suite.js';
import { decodeGuarded } from './decode-guard.js';

const test = suite('decoding under a supervisor');

const ada = { headers: {}, sender: 'jwt north ada' };
const bob = { headers: {}, sender: 'jwt north bob' };
const guardOf = () => ({
  watch: new RunningCommands(new SharedArrayBuffer(runningCommandsBytes)),
  quarantine: new QuarantinedCommands(),
});

test('a supervisor sees whose input is being decoded', () => {
  const guard = guardOf();
  const running = decodeGuarded(guard, 'CreateOrder', ada, () => guard.watch.read().running);
  assert.equal(running, { command: 'input of CreateOrder', key: 'jwt north ada' });
  assert.is(guard.watch.read().running, undefined);
});

test('input in quarantine is refused for its sender and no other', () => {
  const guard = guardOf();
  const until = Date.now() + 60_000;
  guard.quarantine.replace([{ command: 'input of CreateOrder', key: 'jwt north ada', until }]);
  assert.throws(() => decodeGuarded(guard, 'CreateOrder', ada, () => 1), /is in quarantine/);
  assert.is(
    decodeGuarded(guard, 'CreateOrder', bob, () => 1),
    1,
  );
  assert.is(
    decodeGuarded(guard, 'CancelOrder', ada, () => 1),
    1,
  );
});
