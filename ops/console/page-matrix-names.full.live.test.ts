import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { post } from '../../endpoints/testing/http-client.js';
import { withConsole } from '../testing/bakery-console.js';
import { consoleFaults, otherPageFaults } from '../testing/page-faults.js';
import { CommandEndpoint } from '../../contracts/command-endpoint.js';
import { text } from '../../contracts/codec.js';
import type { MessageClass } from '../../contracts/message.js';
import type { Perspective } from '../../contracts/perspective.js';
import { Problem } from '../../contracts/problems.js';
import type { Dispatcher } from '../../contracts/receptor.js';
import { newUuid } from '../../contracts/uuid.js';
import { endpoint, receptor } from '../../endpoints/registrations.js';
import type { Registry, ServiceDefinition } from '../../endpoints/service-definition.js';
import { BakeBread, BreadBaked } from '../../endpoints/testing/bakery.js';
import { HookedEndpoint } from '../../endpoints/testing/hooked-endpoint.js';
import { bakerySchema } from '../../endpoints/testing/parcels.js';
import { type FailingBakery, failingBakery } from '../testing/failing-bakery.js';

const test = suite('pages at every width, with hostile names');

/** Names that a page must show as they are, and whole. */
const hostileNames = [
  '<img src=x onerror=alert(1)>',
  '\u202Eمخبز الشمال\u202C',
  'W'.repeat(200),
  '👩🏽‍🍳'.repeat(12),
  '__proto__',
] as const;

const [markup] = hostileNames;

const named = <T extends object>(type: T, name: string): T =>
  Object.defineProperty(type, 'name', { value: name });

/** A command, its event and its error, all with this name. */
function hostileParts(dispatcher: Dispatcher, name: string, index: number) {
  const Bake: new () => BakeBread = named(class extends BakeBread {}, name);
  const Baked: new () => BreadBaked = named(class extends BreadBaked {}, `${name} baked`);
  CommandEndpoint<BakeBread, unknown>({ restRoute: `/hostile/${index}`, permission: 'public' })(Bake);
  const decode = (value: unknown, path: string, faults: Parameters<typeof text>[2]): BakeBread =>
    Object.assign(new Bake(), { customer: text((value as BakeBread).customer, path, faults), loaves: 1 });
  return {
    endpoint: endpoint({ command: Bake, endpoint: new HookedEndpoint<BakeBread>(dispatcher, {}), decode }),
    receptor: receptor(Bake, {
      handle: ({ customer }: BakeBread, work) => {
        if (customer === 'failing') throw new Problem(name, { status: 409, detail: `${name} failed.` });
        work.append(newUuid(), Object.assign(new Baked(), { customer, loaves: 1 }));
        return {};
      },
    }),
    event: Baked,
  };
}

const customers = (
  events: readonly MessageClass<BreadBaked>[],
): Perspective<{ customer: string }, BreadBaked> => ({
  name: 'customers',
  events,
  late: 'apply',
  key: ({ payload }) => payload.customer,
  initial: () => ({ customer: '' }),
  apply: (_, { payload }) => ({ customer: payload.customer }),
});

/** A bakery whose commands, events, errors, customers and users have hostile names. */
function hostileBakery(): FailingBakery {
  const bakery = failingBakery();
  const create = (dispatcher: Dispatcher): Registry => {
    const registry = bakery.definition.create(dispatcher);
    const parts = hostileNames.map((name, index) => hostileParts(dispatcher, name, index));
    const events = [BreadBaked, ...parts.map(({ event }) => event)];
    return {
      ...registry,
      endpoints: [...registry.endpoints, ...parts.map((part) => part.endpoint)].map((one) => ({
        ...one,
        permission: 'public',
      })),
      receptors: [...registry.receptors, ...parts.map((part) => part.receptor)],
      perspectives: [...(registry.perspectives ?? []), customers(events)],
      events,
      schema: bakerySchema,
      openApi: hostileDocument(),
    };
  };
  const definition: ServiceDefinition = {
    ...bakery.definition,
    name: markup,
    create,
    authenticate: () => ({ source: 'test', scope: { userId: hostileNames[2] }, permissions: ['svc:*'] }),
  };
  return { ...bakery, definition };
}

const hostileDocument = (): string => {
  const operation = (name: string) => ({
    post: { operationId: name, summary: name, description: name, tags: [name], responses: {} },
  });
  const paths = Object.fromEntries(hostileNames.map((name, index) => [`/hostile/${index}`, operation(name)]));
  const tags = hostileNames.map((name) => ({ name, description: name }));
  return JSON.stringify({ openapi: '3.1.0', info: { title: markup, version: '1' }, tags, paths });
};

test('hostile names of commands, events, errors, customers and users are shown as they are', () =>
  withConsole(async ({ page, host, bake, show, errors, transport, oven }) => {
    page.on('dialog', () => errors.push('a name was run as a script'));
    [transport.refuses, oven.parks] = [markup, markup];
    for (const [index, name] of hostileNames.entries()) {
      await bake(name);
      for (const customer of [name, 'failing'])
        await post(host.url, { customer }, { path: `/hostile/${index}` });
      await post(host.url, {}, { path: `/${encodeURIComponent(name)}` });
    }
    await show('requests');
    for (const name of hostileNames) await page.locator('.requests a', { hasText: name }).first().waitFor();
    assert.equal(await consoleFaults(page, 'hostile names'), []);
    assert.equal(await otherPageFaults(page, host.url, 'hostile names'), []);
  }, hostileBakery()));
