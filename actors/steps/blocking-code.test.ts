import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { QuarantinedCommands } from '../commands/quarantined-commands.js';
import { RunningCommands, runningCommandsBytes } from '../commands/running-commands-shared-memory.js';
import { BlockingCode } from './blocking-code.js';
import { Unhandled } from './step-errors.js';

const test = suite('code that blocks its host');

const bookSale = { kind: 'reaction', name: 'book-sale' } as const;

/** Code takes time, and as much of the processor unless the host is frozen. */
function watched() {
  let [time, used] = [0, 0];
  const code = new BlockingCode(undefined, { now: () => time, usedMs: () => used });
  const run = (id: string, ms: number, usedMs = ms, then = () => id): string =>
    code.run(bookSale, id, () => {
      time += ms;
      used += usedMs;
      return then();
    });
  return run;
}

test('an event that blocked the host is not run when it comes again, and once more when it was released', () => {
  const run = watched();
  assert.is(run('slow', 10_000), 'slow');
  assert.is(run('quick', 1_000), 'quick');
  assert.is(run('quick', 1_000), 'quick');
  assert.throws(
    () => run('slow', 10_000),
    (error: unknown) =>
      error instanceof Unhandled && /blocked this host for 10\.0 seconds/.test(error.message),
  );
  assert.is(run('slow', 1), 'slow');
  assert.is(run('slow', 1), 'slow');
});

test('one that blocks and throws is known too', () => {
  const run = watched();
  const late = (): never => {
    throw new Error('late');
  };
  assert.throws(() => run('id', 3_000, 3_000, late), /late/);
  assert.throws(() => run('id', 3_000), /blocked this host/);
});

test('one that ran while the host was frozen, or had no processor, is not blamed', () => {
  const run = watched();
  assert.is(run('frozen', 60_000, 100), 'frozen');
  assert.is(run('frozen', 60_000, 100), 'frozen');
});

test('one that ran after much quick work is not blamed for it', () => {
  const run = watched();
  for (let n = 0; n < 1_000; n++) run(`quick ${n}`, 10);
  assert.is(run('next', 2_500, 1_000), 'next');
  assert.is(run('next', 1), 'next');
});

test('an event in quarantine is not run, and while another one runs, a thread beside sees which', () => {
  const watch = new RunningCommands(new SharedArrayBuffer(runningCommandsBytes));
  const quarantine = new QuarantinedCommands();
  const code = new BlockingCode({ watch, quarantine });
  const run = (id: string) => code.run(bookSale, id, () => watch.read().running);
  const running = { command: 'reaction book-sale', key: 'bad' };
  assert.equal(run('bad'), running);
  assert.is(watch.read().running, undefined);
  quarantine.replace([{ ...running, until: Date.now() + 60_000 }]);
  assert.throws(
    () => run('bad'),
    (error: unknown) =>
      error instanceof Unhandled && /^reaction book-sale is in quarantine/.test(error.message),
  );
  assert.equal(run('good'), { ...running, key: 'good' });
});
