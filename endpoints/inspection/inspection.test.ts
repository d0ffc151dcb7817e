import { setTimeout as delay } from 'node:timers/promises';
import * as assert from 'uvu/assert';
import { Command } from '../../contracts/message.js';
import { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { Cancellation } from '../../runtime/lang/cancellation.js';
import type { Visit } from '../../runtime/request/observer.js';
import { RequestContext } from '../../runtime/request/request-context.js';
import { lifecycleOf, MutationEndpointBase } from '../mutation-endpoint.js';
import { Inspection } from './inspection.js';

const test = suite('inspection');

type Failing = 'before' | 'dispatch' | 'after' | 'error' | 'nowhere';

class Bake extends Command {
  failing!: Failing;
}

class BakeEndpoint extends MutationEndpointBase<Bake, string> {
  protected override onBeforeExecute({ failing }: Bake): void {
    if (failing === 'before') throw new Problem('burnt', { detail: 'sesame' });
  }
  protected override async dispatchCommand({ failing }: Bake): Promise<string> {
    if (failing === 'dispatch' || failing === 'error') throw new TypeError('sesame');
    return 'bread';
  }
  protected override onAfterExecute({ failing }: Bake): void {
    if (failing === 'after') throw new RangeError('sesame');
  }
  protected override onError({ failing }: Bake): string | null {
    if (failing === 'error') throw new SyntaxError('sesame');
    return null;
  }
}

function bakery(requests?: number) {
  const inspection = new Inspection({
    host: 'oven-1',
    commands: ['Bake'],
    ...(requests === undefined ? {} : { requests }),
  });
  const endpoint = new BakeEndpoint();
  lifecycleOf(endpoint).bind({ observer: inspection });
  const bake = async (failing: Failing, correlationId?: string): Promise<void> => {
    const context = new RequestContext({
      transport: 'rest',
      cancellation: new Cancellation(),
      correlationId,
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    });
    await lifecycleOf(endpoint).run('command', Bake.of({ failing }), context);
  };
  return { inspection, endpoint, bake };
}

test('requests in flight are listed oldest first, in whatever order the others end', async () => {
  const inspection = new Inspection({ host: 'oven-1' });
  const begin = async (correlationId: string): Promise<Visit | undefined> => {
    await delay(2);
    const context = new RequestContext({
      transport: 'rest',
      cancellation: new Cancellation(),
      correlationId,
    });
    return inspection.entered('lifecycle', { type: Bake.name, command: undefined, context });
  };
  const running = (limit = 9) => inspection.inFlight(0, limit).map(({ correlationId }) => correlationId);
  const visits = [await begin('a'), await begin('b'), await begin('c'), await begin('d')];
  await delay(2);
  assert.equal(running(), ['a', 'b', 'c', 'd']);
  assert.equal(running(2), ['a', 'b']);
  for (const [index, left] of [
    [1, ['a', 'c', 'd']],
    [3, ['a', 'c']],
    [0, ['c']],
    [2, []],
  ] as const) {
    visits[index]?.left?.({ outcome: 'completed', result: 'bread' });
    assert.equal(running(), left);
  }
  await begin('e');
  assert.equal(inspection.inFlight(3_600_000, 9), []);
});

test('an ended request is listed with its states, its times and its ids', async () => {
  const { inspection, bake } = bakery();
  await bake('nowhere', 'table-7');
  const [summary] = inspection.requests();
  assert.equal(
    summary?.states.map(([state]) => state),
    ['checking', 'before', 'dispatching', 'after'],
  );
  assert.is(summary?.outcome, 'completed');
  assert.is(summary?.command, 'Bake');
  assert.is(summary?.correlationId, 'table-7');
  assert.is(summary?.traceId, '0af7651916cd43dd8448eb211c80319c');
  assert.is(summary?.error, undefined);
  assert.ok(Math.abs(Date.parse(summary?.startedAt ?? '') - Date.now()) < 60_000);
  assert.is(inspection.request(summary?.id ?? '')?.correlationId, 'table-7');
});

for (const [failing, state, name] of [
  ['before', 'before', 'Problem'],
  ['dispatch', 'dispatching', 'TypeError'],
  ['after', 'after', 'RangeError'],
  ['error', 'recovering', 'SyntaxError'],
] as const) {
  test(`a request that fails in ${state} is listed as failed there, without its error message`, async () => {
    const { inspection, bake } = bakery();
    await bake(failing);
    const [summary] = inspection.requests();
    assert.is(summary?.outcome, 'failed');
    assert.is(summary?.failedIn, state);
    assert.is(summary?.error?.name, name);
    assert.not.match(JSON.stringify(summary), 'sesame');
  });
}

test('requests are found by part of an id, command or error, and by outcome', async () => {
  const { inspection, bake } = bakery();
  await bake('nowhere', 'table-7');
  await bake('before', 'table-8');
  const found = (search: object) => inspection.requests(search).map(({ correlationId }) => correlationId);
  assert.equal(found({}), ['table-8', 'table-7']);
  assert.equal(found({ text: 'TABLE-7' }), ['table-7']);
  assert.equal(found({ text: 'burnt' }), ['table-8']);
  assert.equal(found({ text: 'bake' }), ['table-8', 'table-7']);
  assert.equal(found({ outcome: 'completed' }), ['table-7']);
  assert.equal(found({ limit: 1 }), ['table-8']);
  assert.equal(found({ text: 'sesame' }), []);
});

test('a body is kept only where it is asked for, as it may be shown', () => {
  const bodyOf = (type: string, command: object) => ({ type, ...command, pin: '[redacted]' });
  const recorded = [undefined, bodyOf].map((shown) => {
    const inspection = new Inspection({ host: 'oven-1', ...(shown && { bodyOf: shown }) });
    const context = new RequestContext({ transport: 'rest', cancellation: new Cancellation() });
    const command = Object.assign(Bake.of({ failing: 'nowhere' }), { pin: '1234' });
    inspection.entered('lifecycle', { type: 'Bake', command, context });
    return inspection.request(context.messageId)?.body;
  });
  assert.is(recorded[0], undefined);
  assert.match(recorded[1] ?? '', /"type":"Bake".*"failing":"nowhere".*"pin":"\[redacted\]"/);
});

test('the list is bounded, and failures outlive successes', async () => {
  const { inspection, bake } = bakery(4);
  await bake('before', 'early');
  for (let n = 0; n < 20; n++) await bake('nowhere');
  assert.is(inspection.requests().length, 5);
  assert.is(inspection.requests({ text: 'early' }).length, 1);
});

test('a command is aggregated from the start, and a call without a transport counts too', async () => {
  const { inspection, endpoint, bake } = bakery();
  assert.equal(
    inspection.aggregates().map(({ command, started }) => [command, started]),
    [['Bake', 0]],
  );
  await bake('nowhere');
  await endpoint.execute(Bake.of({ failing: 'nowhere' }));
  const [aggregate] = inspection.aggregates();
  assert.is(aggregate?.states.find(({ state }) => state === 'completed')?.entered, 2);
  assert.equal(
    inspection.requests().map(({ transport }) => transport),
    ['local', 'rest'],
  );
});
