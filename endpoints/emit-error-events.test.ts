import * as assert from 'uvu/assert';
import type { CommandFailed, HookFailed } from '../contracts/events/error.js';
import { Command } from '../contracts/message.js';
import { Problem } from '../contracts/problems.js';
import { faultsOf } from '../contracts/record-class.js';
import type { SystemMessage } from '../contracts/system-messages.js';
import { suite } from '../contracts/testing/suite.js';
import { Cancellation } from '../runtime/lang/cancellation.js';
import { RequestContext } from '../runtime/request/request-context.js';
import { emitErrorEvents } from './emit-error-events.js';
import { lifecycleOf, type MutationEndpointBase, RestMutationEndpointBase } from './mutation-endpoint.js';

const test = suite('error events');

class Greet extends Command {}

type Step = 'map' | 'before' | 'dispatch' | 'after' | 'error';

/** An endpoint that throws in the given step. */
class GreetEndpoint extends RestMutationEndpointBase<Greet, string> {
  constructor(
    private readonly failures: Partial<Record<Step, unknown>>,
    private readonly fallback: string | null = null,
  ) {
    super();
  }

  protected override mapRequestToCommand(): Greet {
    this.#reach('map');
    return new Greet();
  }

  protected override onBeforeExecute(): void {
    this.#reach('before');
  }

  protected override dispatchCommand(): string {
    this.#reach('dispatch');
    return 'hello';
  }

  protected override onAfterExecute(): void {
    this.#reach('after');
  }

  protected override onError(): string | null {
    this.#reach('error');
    return this.fallback;
  }

  #reach(step: Step): void {
    if (step in this.failures) throw this.failures[step];
  }
}

type Report = Partial<Omit<CommandFailed, keyof HookFailed> & HookFailed> & object;

async function reportsOf(
  endpoint: MutationEndpointBase<Greet, string>,
  cancellation = new Cancellation(),
): Promise<Report[]> {
  const reported: SystemMessage[] = [];
  lifecycleOf(endpoint).bind({ observer: emitErrorEvents((message) => reported.push(message)) });
  const context = new RequestContext({ transport: 'rest', cancellation, correlationId: 'c-1' });
  await lifecycleOf(endpoint).run('request', {}, context);
  for (const message of reported) assert.equal(faultsOf(message), []);
  return reported as Report[];
}

const names = (reports: readonly object[]) => reports.map(({ constructor }) => constructor.name);
const broken = new TypeError('broken');
const refusal = new Problem('invalid-command');

test('a request that succeeds is not reported', async () => {
  assert.equal(await reportsOf(new GreetEndpoint({})), []);
});

test('a request that was cancelled before it began is not reported', async () => {
  const cancellation = new Cancellation();
  cancellation.abort(new Problem('client-gone'));
  assert.equal(await reportsOf(new GreetEndpoint({}), cancellation), []);
});

test('every dispatch failure is a CommandFailed, also a refusal', async () => {
  for (const error of [broken, refusal]) {
    const [failed, ...more] = await reportsOf(new GreetEndpoint({ dispatch: error }));
    assert.equal(more, []);
    assert.is(failed?.constructor.name, 'CommandFailed');
    assert.is(failed?.commandType, 'Greet');
    assert.is(failed?.recovered, false);
    assert.is(failed?.correlationId, 'c-1');
    assert.is(failed?.error?.message, error.message);
  }
});

test('a failure that the error-hook recovered is a CommandFailed marked as recovered', async () => {
  const [failed, ...more] = await reportsOf(new GreetEndpoint({ dispatch: broken }, 'sorry'));
  assert.equal(more, []);
  assert.is(failed?.recovered, true);
  assert.is(failed?.error?.message, 'broken');
});

test('an error-hook that throws is a HookFailed besides the CommandFailed of the original error', async () => {
  const worse = new TypeError('worse');
  const reports = await reportsOf(new GreetEndpoint({ dispatch: broken, error: worse }));
  assert.equal(names(reports), ['CommandFailed', 'HookFailed']);
  assert.is(reports[0]?.error?.message, 'broken');
  assert.is(reports[1]?.error?.message, 'worse');
  assert.is(reports[1]?.hook, 'onError');
});

for (const [step, hook] of [
  ['map', 'mapRequestToCommand'],
  ['before', 'onBeforeExecute'],
  ['after', 'onAfterExecute'],
] as const) {
  test(`${hook} that throws is a HookFailed with its endpoint`, async () => {
    const [failed, ...more] = await reportsOf(new GreetEndpoint({ [step]: broken }));
    assert.equal(more, []);
    assert.is(failed?.constructor.name, 'HookFailed');
    assert.is(failed?.hook, hook);
    assert.is(failed?.endpoint, 'GreetEndpoint');
    assert.is(failed?.correlationId, 'c-1');
  });

  test(`${hook} that throws a 4xx problem is an answer, not a failure`, async () => {
    assert.equal(await reportsOf(new GreetEndpoint({ [step]: refusal })), []);
  });
}

test('any thrown value is reported, even if it is not an Error', async () => {
  for (const thrown of ['text', undefined, new DOMException('stopped', 'AbortError')]) {
    assert.equal(names(await reportsOf(new GreetEndpoint({ before: thrown }))), ['HookFailed']);
    assert.equal(names(await reportsOf(new GreetEndpoint({ dispatch: thrown }))), ['CommandFailed']);
  }
});
