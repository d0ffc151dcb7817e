import type { CommandRoutePorts } from '../http/command-route.js';
import { LocalDispatcher } from '../../actors/commands/dispatcher.js';
import { type Bake, BakeBread, BreadBaked, order } from '../../actors/testing/bakery-service.js';
import { array, type Decode, int, invalid, object, optional, text } from '../../contracts/codec.js';
import { CommandEndpoint } from '../../contracts/command-endpoint.js';
import type { IdempotencyGate } from '../../contracts/idempotency-gate.js';
import type { RequiredPermission } from '../../contracts/identity.js';
import type { Dispatcher, Receptor, UnitOfWork } from '../../contracts/receptor.js';
import type { UnitStore } from '../../contracts/unit-store.js';
import { newUuid } from '../../contracts/uuid.js';
import { InMemoryEventStore } from '../../runtime/kit/in-memory-event-store.js';
import { InMemoryIdempotencyGate } from '../../runtime/kit/in-memory-idempotency-gate.js';
import { callersOf } from '../access/caller.js';
import { createHttpServer, type HttpOptions, type HttpServer } from '../routes/http-server.js';
import type { Inspection } from '../inspection/inspection.js';
import { lifecycleOf } from '../mutation-endpoint.js';
import { endpoint, type EndpointRegistration, receptor } from '../registrations.js';
import type { Registry } from '../service-definition.js';
import { HookedEndpoint, MappingEndpoint, whileListening } from './hooked-endpoint.js';
import { bakerySchema, type Counter, parcels } from './parcels.js';

export { BakeBread, BreadBaked, order };

@CommandEndpoint<BakeCake, unknown>({ restRoute: '/cake', permission: 'authenticated' })
class BakeCake extends BakeBread {}

class BunRequest {
  who!: string;
  note?: string;
}

@CommandEndpoint<BakeBun, unknown>({ restRoute: '/bun', requestType: BunRequest, permission: 'public' })
class BakeBun extends BakeBread {}

/** What tests of the bakery vary; by default baking stores one BreadBaked and returns how many there are. */
export interface Kitchen extends Counter {
  readonly bake?: Bake;
  readonly map?: (request: BunRequest) => BakeBun;
  readonly receptor?: Pick<Receptor<BakeBread, unknown>, 'concurrency' | 'mailbox' | 'retryOnConflict'>;
  readonly http?: Partial<HttpOptions>;
  /** What the commands need, by name, where it differs from what they declare. */
  readonly permissions?: Readonly<Record<string, RequiredPermission>>;
  readonly deadlineMs?: number;
  /** What `Prefer: wait` waits for. */
  readonly caughtUp?: CommandRoutePorts['caughtUp'];
  readonly inspection?: Inspection;
  readonly shop?: { readonly store: UnitStore; readonly gate: IdempotencyGate };
}

export interface Bakery {
  readonly url: string;
  readonly server: HttpServer;
  readonly store: UnitStore;
}

/** A listening server with REST and GraphQL in front of the kitchen; it closes after the body. */
export async function withBakery(kitchen: Kitchen, body: (bakery: Bakery) => Promise<void>): Promise<void> {
  const { store, gate } = kitchen.shop ?? inMemory();
  const { dispatcher, endpoints } = bakeryOver(store, kitchen);
  const callerOf = callersOf(kitchen.http?.authentication?.guard, ['x-secret']);
  const server = createHttpServer(
    endpoints,
    {
      gate,
      store,
      dispatcher,
      deadlineMs: kitchen.deadlineMs ?? 30_000,
      callerOf,
      caughtUp: kitchen.caughtUp,
    },
    { bodyLimit: 1_048_576, schema: bakerySchema, ...kitchen.http },
  );
  await whileListening(server, dispatcher, (url) => body({ url, server, store }));
}

interface OpenKitchen {
  readonly dispatcher: LocalDispatcher;
  readonly endpoints: readonly EndpointRegistration[];
}

/** The bakery without HTTP. */
export function bakeryOver(store: UnitStore, kitchen: Kitchen = {}): OpenKitchen {
  const { inspection: observer } = kitchen;
  const dispatcher = new LocalDispatcher({ store, ...(observer && { observer }) });
  const { endpoints, receptors } = bakery(dispatcher, kitchen);
  dispatcher.register(receptors);
  const { permissions = {} } = kitchen;
  const guarded = endpoints.map((registration) => ({
    ...registration,
    permission: permissions[registration.command.name] ?? registration.permission,
  }));
  return { dispatcher, endpoints: guarded };
}

/** What an application of the bakery registers. */
export function bakery(dispatcher: Dispatcher, kitchen: Kitchen): Registry {
  const cook: Receptor<BakeBread, unknown> = { ...kitchen.receptor, handle: kitchen.bake ?? bake };
  const breads = new HookedEndpoint<BakeBread>(dispatcher, kitchen);
  const buns = new MappingEndpoint(dispatcher, kitchen, kitchen.map ?? bunFor);
  const { inspection: observer } = kitchen;
  if (observer !== undefined)
    for (const one of [lifecycleOf(breads), lifecycleOf(buns)]) one.bind({ observer });
  const { endpoints, receptors } = parcels(dispatcher, kitchen);
  return {
    endpoints: [
      ...endpoints,
      endpoint({ command: BakeBread, endpoint: breads, decode: decodeAs(() => new BakeBread()) }),
      endpoint({ command: BakeCake, endpoint: breads, decode: decodeAs(() => new BakeCake()) }),
      endpoint({ command: BakeBun, endpoint: buns, decode: decodeBunRequest }),
    ],
    receptors: [...receptors, receptor(BakeBread, cook), receptor(BakeCake, cook), receptor(BakeBun, cook)],
  };
}

export const bunFor = ({ who, ...more }: BunRequest): BakeBun =>
  BakeBun.of({ customer: who, loaves: 1, toppings: [], ...more });

function inMemory() {
  const store = new InMemoryEventStore();
  return { store, gate: new InMemoryIdempotencyGate(store) };
}

export function bake({ customer, loaves }: BakeBread, work: UnitOfWork) {
  work.append(newUuid(), BreadBaked.of({ customer, loaves }));
  return { baked: loaves, batch: newUuid() };
}

const decodeAs =
  (create: () => BakeBread): Decode<BakeBread> =>
  (value, path, faults) => {
    const from = object(value, path, faults);
    if (from === undefined) return invalid;
    const command = create();
    command.customer = text(from['customer'], `${path}/customer`, faults);
    command.loaves = int(from['loaves'], `${path}/loaves`, faults, { minimum: 1 });
    command.toppings = array(from['toppings'], `${path}/toppings`, faults, text);
    const note = optional(from['note'], `${path}/note`, faults, text);
    if (note !== undefined) command.note = note;
    return command;
  };

const decodeBunRequest: Decode<BunRequest> = (value, path, faults) => {
  const from = object(value, path, faults);
  if (from === undefined) return invalid;
  const request = new BunRequest();
  request.who = text(from['who'], `${path}/who`, faults);
  const note = optional(from['note'], `${path}/note`, faults, text);
  if (note !== undefined) request.note = note;
  return request;
};
