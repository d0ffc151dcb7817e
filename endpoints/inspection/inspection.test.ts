import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Command } from '../../contracts/message.js';
import { Problem } from '../../contracts/problems.js';
import { Cancellation } from '../../runtime/cancellation.js';
import { RequestContext } from '../../runtime/request-context.js';
import { MutationEndpointBase } from '../mutation-endpoint.js';
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
  const inspection = new Inspection({ host: 'oven-1', ...(requests === undefined ? {} : { requests }) });
  const endpoint = new BakeEndpoint();
  endpoint.watchedBy(inspection.watch('Bake'));
  const bake = async (failing: Failing, correlationId?: string): Promise<void> => {
    const context = new RequestContext({
      transport: 'rest',
      cancellation: new Cancellation(),
      correlationId,
      traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    });
    await endpoint.run({ command: Bake.of({ failing }) }, context);
  };
  return { inspection, endpoint, bake };
}

test('a request that has ended is listed with its way, its times and its ids', async () => {
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
  test(`a request that fails in ${state} is listed as failed there, without what it said`, async () => {
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

test('the list is bounded, and what failed outlives what went well', async () => {
  const { inspection, bake } = bakery(4);
  await bake('before', 'early');
  for (let n = 0; n < 20; n++) await bake('nowhere');
  assert.is(inspection.requests().length, 5);
  assert.is(inspection.requests({ text: 'early' }).length, 1);
});

test('a command is aggregated from its start, and a call without a transport counts too', async () => {
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

test.run();
