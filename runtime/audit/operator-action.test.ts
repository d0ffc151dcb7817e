import * as assert from 'uvu/assert';
import type { SystemMessage } from '../../contracts/system-messages.js';
import { suite } from '../../contracts/testing/suite.js';
import { NoOpSystemEventEmitter } from '../no-op-emitter.js';
import { recordOperatorAction } from './operator-action.js';

const test = suite('operator action');
const discarded = { action: 'dead-letters discard', target: '7', actor: 'ann' };

const emittedBy = async (reason?: string): Promise<Record<string, unknown>> => {
  const emitted: SystemMessage[] = [];
  const emit = async (message: SystemMessage) => void emitted.push(message);
  await recordOperatorAction({ emit }, { ...discarded, reason });
  assert.is(emitted.length, 1);
  return Object.fromEntries(Object.entries(emitted[0] ?? {}));
};

test('an operator action is one OperatorActed with who and why', async () => {
  const { id, timestamp, ...rest } = await emittedBy('sent by hand');
  assert.equal(rest, { ...discarded, reason: 'sent by hand' });
  assert.ok(typeof id === 'string' && Date.parse(String(timestamp)) > 0);
});

test('a blank reason counts as none', async () => {
  assert.not('reason' in (await emittedBy('  ')));
});

test('where system events are off nothing is stored and nothing fails', async () => {
  await recordOperatorAction(new NoOpSystemEventEmitter(), discarded);
});
