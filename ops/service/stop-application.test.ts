import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { log } from '../../runtime/logging/log.js';
import { stopApplication } from './stop-application.js';

const test = suite('stop of an application');

/** What is logged as an error meanwhile. */
async function loggedBy(act: () => Promise<void>): Promise<readonly unknown[]> {
  const logged: unknown[] = [];
  const before = log.error;
  log.error = (...[facts]: readonly unknown[]) =>
    void logged.push((facts as { readonly err: Error }).err.message);
  try {
    await act();
  } finally {
    log.error = before;
  }
  return logged;
}

test('an application that has nothing to stop needs no stop', async () => {
  assert.equal(await loggedBy(() => stopApplication({})), []);
});

test('the host waits until the application has stopped', async () => {
  const closed: string[] = [];
  const stop = async (): Promise<void> => {
    await Promise.resolve();
    closed.push('pool');
  };
  assert.equal(await loggedBy(() => stopApplication({ stop })), []);
  assert.equal(closed, ['pool']);
});

test('a stop that fails is logged, and the host stops all the same', async () => {
  const failing = { stop: () => Promise.reject(new RangeError('the pool is closed')) };
  const throwing = {
    stop: () => {
      throw new RangeError('there is no pool');
    },
  };
  assert.equal(await loggedBy(() => stopApplication(failing)), ['the pool is closed']);
  assert.equal(await loggedBy(() => stopApplication(throwing)), ['there is no pool']);
});

test('a stop that never ends is given up', async () => {
  const never = { stop: () => new Promise<void>(() => undefined) };
  assert.equal(await loggedBy(() => stopApplication(never, 10)), ['No answer within 10 ms.']);
});
