import * as assert from 'uvu/assert';
import { Problem } from '../../contracts/problems.js';
import type { SystemMessage } from '../../contracts/system-messages.js';
import { suite } from '../../contracts/testing/suite.js';
import { LeaseLost, type ReceivedDeadLetter } from '../../runtime/inbox/inbox.js';
import { inboundBytes } from '../../runtime/testing/foreign-events.js';
import type { DeadMessage } from './doubtful-messages.js';
import { DeadLetters } from './store-dead-letters.js';

const test = suite('dead letter batches');

const dead = (bytes: number): DeadMessage => ({
  message: inboundBytes('svc.events.Baked', Buffer.alloc(bytes, 1)),
  classification: { is: 'dead', problem: new Problem('invalid-message'), envelope: undefined },
});

const nobody = () => Promise.resolve(new Map<string, never>());

function scene() {
  const written: number[] = [];
  const reported: SystemMessage[] = [];
  const inbox = {
    knownStores: nobody,
    storeDeadLetters: (letters: readonly ReceivedDeadLetter[]) => {
      written.push(letters.length);
      return Promise.resolve(letters.map(() => 'kept' as const));
    },
  };
  return {
    written,
    reported,
    ports: { inbox, report: (message: SystemMessage) => void reported.push(message) },
  };
}

test('many dead letters are written together, in order, and large ones a few at a time', async () => {
  const { written, reported, ports } = scene();
  const small = Array.from({ length: 70 }, () => dead(10));
  const large = [dead(700_000), dead(700_000), dead(5_000_000), dead(10)];
  assert.equal(await new DeadLetters(ports).store([...small, ...large]), Array(74).fill('kept'));
  assert.equal(written, [32, 32, 7, 1, 1, 1]);
  assert.is(reported.length, 74);
});

test('without dead letters nothing is written', async () => {
  const { written, ports } = scene();
  assert.equal(await new DeadLetters(ports).store([]), []);
  assert.equal(written, []);
});

test('a subscriber that has lost the lease stops writing', async () => {
  const { ports } = scene();
  let writes = 0;
  const inbox = {
    knownStores: nobody,
    storeDeadLetters: () =>
      writes++ === 0 ? Promise.resolve(Array(32).fill('kept')) : Promise.reject(new LeaseLost()),
  };
  const stored = new DeadLetters({ ...ports, inbox }).store(Array.from({ length: 99 }, () => dead(1)));
  assert.instance(await stored.catch((error: unknown) => error), LeaseLost);
  assert.is(writes, 2);
});

test('a dead letter is reported even if it cannot be read, and an error event is not: that would never end', async () => {
  const { reported, ports } = scene();
  const error = { ...dead(1), message: inboundBytes('svc.system.MessageDeadLettered', Buffer.from('x')) };
  await new DeadLetters(ports).store([dead(1), error]);
  assert.equal(
    reported.map((one) => [one.constructor.name, 'messageId' in one && one.messageId]),
    [['MessageDeadLettered', 'unknown']],
  );
});
