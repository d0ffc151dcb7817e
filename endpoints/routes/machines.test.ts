import * as assert from 'uvu/assert';
import { type AnyStateMachine, createMachine } from 'xstate';
import { suite } from '../../contracts/testing/suite.js';
import { Tokens } from '../access/tokens.js';
import { lifecycleMachine } from '../lifecycle/lifecycle-machine.js';
import { withBakery } from '../testing/bakery.js';
import { send } from '../testing/http-client.js';
import { machineRoutes } from './machines.js';

const test = suite('machines');

const door = createMachine({ id: 'door', initial: 'shut', states: { shut: {} } });
const named = (machine: AnyStateMachine) => ({ name: machine.id, machine });
const withMachines = { http: { routes: [machineRoutes([lifecycleMachine, door].map(named))] } };

test('GET /machines lists every machine as XState JSON, by its name', async () => {
  await withBakery(withMachines, async ({ url }) => {
    const { status, headers, text } = await send(url, { method: 'GET', path: '/machines' });
    assert.is(status, 200);
    assert.match(headers['content-type'] ?? '', 'application/json');
    const all = JSON.parse(text) as Record<string, { id: string }>;
    assert.equal(Object.keys(all), ['lifecycle', 'door']);
    assert.equal(all['door'], { id: 'door', initial: 'shut', states: { shut: {} } });
  });
});

test('GET /machines/<id> is one machine, in a form to paste into Stately Studio', async () => {
  await withBakery(withMachines, async ({ url }) => {
    const { text } = await send(url, { method: 'GET', path: '/machines/lifecycle' });
    const pasted = createMachine(JSON.parse(text) as { id: string });
    assert.ok(pasted.states['dispatching'] !== undefined);
  });
});

test('the initial context of a machine is not shown', async () => {
  const safe = createMachine({ id: 'safe', context: { code: '4711' } });
  await withBakery({ http: { routes: [machineRoutes([named(safe)])] } }, async ({ url }) => {
    const { text } = await send(url, { method: 'GET', path: '/machines/safe' });
    assert.equal(JSON.parse(text), { id: 'safe', context: {} });
  });
});

test('with a configured token, the machines need it', async () => {
  const access = { tokens: new Tokens({ inspect: 'let-me' }), localOnly: true };
  const closed = { http: { routes: [machineRoutes([named(door)], access)] } };
  await withBakery(closed, async ({ url }) => {
    const ask = (path: string, headers = {}) => send(url, { method: 'GET', path, headers });
    for (const path of ['/machines', '/machines/door']) {
      assert.is((await ask(path)).status, 401);
      assert.is((await ask(path, { authorization: 'Bearer let-me' })).status, 200);
    }
  });
});

test('an unknown machine is answered with the names of the known ones', async () => {
  await withBakery(withMachines, async ({ url }) => {
    const { status, text } = await send(url, { method: 'GET', path: '/machines/window' });
    assert.is(status, 404);
    assert.match(text, 'there are lifecycle, door');
  });
});
