import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { withFakeTimeouts } from '../../runtime/testing/fake-timeouts.js';
import { BlockingCode } from './blocking-code.js';
import { Unhandled } from './step-errors.js';

const test = suite('code that blocks its host');

test('an event that blocked the host is not run when it comes again, and once more when it was released', () =>
  withFakeTimeouts(async (clock) => {
    const code = new BlockingCode();
    const run = (id: string, ms: number) =>
      code.run('book-sale', id, () => {
        clock.advance(ms);
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
  }));

test('one that blocks and throws is known too', () =>
  withFakeTimeouts(async (clock) => {
    const code = new BlockingCode();
    const run = () =>
      code.run('book-sale', 'id', () => {
        clock.advance(3_000);
        throw new Error('late');
      });
    assert.throws(run, /late/);
    assert.throws(run, /blocked this host/);
  }));

test.run();
