import fastify from 'fastify';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { processOf, small } from '../../actors/testing/stepped-processes.js';
import { AwaitedInstances } from '../../runtime/reactions/awaited-instances.js';
import { RequestDurations } from '../http/request-durations.js';
import { isVisible, ProcessReads } from './process-reads.js';
import { processRoutes } from './process-routes.js';

const test = suite('requests that wait for processes');

/** Callers of a host on which no instance exists yet. */
function waitingCallers() {
  const instances = new AwaitedInstances({
    database: { rows: () => Promise.resolve([]) },
    notifications: { subscribe: () => () => undefined },
  });
  const machine = small.createMachine({ initial: 'waiting', states: { waiting: {} } });
  const route = { route: '/bakings', permission: 'authenticated', view: () => ({}) } as const;
  const reads = [processOf(machine, route)]
    .filter(isVisible)
    .map((process) => new ProcessReads(process, instances, false));
  const app = fastify();
  app.decorate('observer', undefined);
  const callerOf = ({ headers }: { readonly headers: object }) => String(Reflect.get(headers, 'caller'));
  processRoutes(reads, { authentication: undefined, callerOf }).add(app, { times: new RequestDurations() });
  const ask = async (caller: string): Promise<number> =>
    (await app.inject({ url: '/bakings/rye', headers: { caller, prefer: 'wait=60' } })).statusCode;
  return { ask, stop: () => instances.stop() };
}

test('a caller has 200 of the 1,000 places on a host, and all get an answer when it stops', async () => {
  const { ask, stop } = waitingCallers();
  const waiting = ['ann', 'bea', 'cleo', 'dora', 'eve'].map(async (caller) => {
    const own = Array.from({ length: 200 }, () => ask(caller));
    assert.is(await ask(caller), caller === 'eve' ? 503 : 429);
    return own;
  });
  const all = (await Promise.all(waiting)).flat();
  assert.is(await ask('fay'), 503);
  stop();
  assert.equal(new Set(await Promise.all(all)), new Set([404]));
  assert.is(await ask('ann'), 404, 'there is room again');
});
