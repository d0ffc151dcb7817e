import { spawn } from 'node:child_process';
import { once } from 'node:events';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { until } from '../../runtime/kit/until.js';
import { ProcessorWait, sampleOf } from './processor-wait.js';

const test = suite('processor wait');

function waits(...samples: ReturnType<typeof sampleOf>[]): number[] {
  const left = [...samples];
  const wait = new ProcessorWait(() => left.shift());
  return samples.map(() => wait.since(100));
}

test('a process that is runnable and does not run waits for a processor', () => {
  const [isRunnable, ranMs] = [true, 50];
  assert.equal(waits({ isRunnable, ranMs }, { isRunnable, ranMs }, { isRunnable, ranMs: 70 }), [0, 100, 80]);
});

test('one that runs, sleeps or is not known does not wait', () => {
  const running = [0, 100, 210].map((ranMs) => ({ isRunnable: true, ranMs }));
  assert.equal(waits(...running), [0, 0, 0]);
  const asleep = { isRunnable: false, ranMs: 5 };
  assert.equal(waits(asleep, asleep, { isRunnable: true, ranMs: 5 }), [0, 0, 0]);
  assert.equal(waits(undefined, { isRunnable: true, ranMs: 5 }, undefined), [0, 0, 0]);
});

if (process.platform === 'linux')
  test('a process that computes is runnable, one that sleeps is not, and one that ended is not known', async () => {
    const [busy, idle] = [spawn(process.execPath, ['-e', 'for (;;);']), spawn('sleep', ['600'])];
    await until(
      () => sampleOf(busy.pid ?? 0)?.isRunnable === true && (sampleOf(busy.pid ?? 0)?.ranMs ?? 0) > 0,
    );
    await until(() => sampleOf(idle.pid ?? 0)?.isRunnable === false);
    for (const child of [busy, idle]) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    assert.is(sampleOf(busy.pid ?? 0), undefined);
  });
