import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { QuarantinedCommands } from '../commands/quarantined-commands.js';
import { RunningCommands, runningCommandsBytes } from '../commands/running-commands-shared-memory.js';
import { BlockingCode } from './blocking-code.js';
import { Unhandled } from './step-errors.js';

const test = suite('code that blocks its host');

const bookSale = { kind: 'reaction', name: 'book-sale' } as const;

test('an event that blocked the host is not run when it comes again, and once more when it was released', () => {
  let used = 0;
  const code = new BlockingCode(undefined, () => used);
  const run = (id: string, ms: number) =>
    code.run(bookSale, id, () => {
      used += ms;
      return id;
    });
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
  let used = 0;
  const code = new BlockingCode(undefined, () => used);
  const run = () =>
    code.run(bookSale, 'id', () => {
      used += 3_000;
      throw new Error('late');
    });
  assert.throws(run, /late/);
  assert.throws(run, /blocked this host/);
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

test.run();
