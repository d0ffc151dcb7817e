import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { Cancellation } from '../lang/cancellation.js';
import { RequestContext, runOf } from './request-context.js';
import { Secrets } from '../logging/secrets.js';

const test = suite('command run');

const context = () => new RequestContext({ transport: 'rest', cancellation: new Cancellation() });

test('what becomes of a command is not visible in its context, which does not change', () => {
  const one = context();
  const before = Object.entries(one);
  const run = runOf(one);
  run.enterDispatch();
  run.refusal = 'no flour';
  run.committed = { from: 1, to: 2, outcome: undefined };
  assert.equal(Object.entries(one), before);
  assert.is(runOf(one), run);
});

test("without an endpoint every command takes its context, unless it is invoked by that one's handler", () => {
  const run = runOf(context());
  assert.equal([run.enterCommand(), run.enterCommand(), run.isInLifecycle], [true, true, false]);
  run.unit = { isOpen: true, events: [], audit: () => undefined };
  assert.is(run.enterCommand(), false);
});

test('of an endpoint only the command that it dispatches takes its context; those of its hooks are nested', () => {
  const run = runOf(context());
  run.enterHooks();
  const inBefore = run.enterCommand();
  run.enterDispatch();
  const dispatched = [run.enterCommand(), run.enterCommand()];
  run.enterHooks();
  assert.equal([inBefore, ...dispatched, run.enterCommand()], [false, true, false, false]);
  assert.ok(run.isInLifecycle);
});

test('what a nested command hides is hidden in the errors of the command that invoked it, too', () => {
  const outer = context();
  const nested = outer.nested(undefined);
  assert.is(outer.secrets, undefined);
  runOf(nested).hide(() => new Secrets().add('pin 1234', 'hidden'));
  assert.is.not(nested.secrets, undefined);
  assert.is.not(outer.secrets, undefined);
});
