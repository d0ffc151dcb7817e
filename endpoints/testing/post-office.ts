import { LocalDispatcher } from '../../actors/commands/dispatcher.js';
import { decimal, type Decode, invalid, object, text, uuid } from '../../contracts/codec.js';
import { CommandEndpoint } from '../../contracts/command-endpoint.js';
import type { RequiredPermission } from '../../contracts/identity.js';
import { Command, Event } from '../../contracts/message.js';
import type { Receptor, UnitOfWork } from '../../contracts/receptor.js';
import type { Decimal, Json, Uuid } from '../../contracts/scalars.js';
import { newUuid } from '../../contracts/uuid.js';
import { InMemoryEventStore } from '../../runtime/testing/in-memory-event-store.js';
import { InMemoryIdempotencyGate } from '../../runtime/testing/in-memory-idempotency-gate.js';
import type { Authentication } from '../access/authentication.js';
import { callersOf } from '../access/caller.js';
import { graphqlRoutes } from '../graphql/route.js';
import { Connections } from '../http/connections.js';
import { Shedding } from '../http/shedding.js';
import { createHttpServer } from '../routes/server.js';
import { endpoint, type EndpointRegistration, receptor } from '../registrations.js';
import { HookedEndpoint, type Hooks, MappingEndpoint, whileListening } from './hooked-endpoint.js';

@CommandEndpoint<SendParcel, Parcel>({ restRoute: '/parcels', graphQLMutation: 'sendParcel' })
export class SendParcel extends Command {
  to!: Uuid;
  weight!: Decimal;
  speed: 'normal' | 'express' = 'normal';
  labels?: Json;
  payment?: Json;
  note: string | null = null;
}

export interface Parcel {
  readonly parcelId: Uuid;
  readonly price: Decimal;
  readonly speed: string;
  readonly labels?: Json | undefined;
  readonly payment?: Json | undefined;
  readonly note: string | null;
  readonly stops: readonly { readonly city: string; readonly next?: string | null }[];
}

class ReturnRequest {
  parcelId!: Uuid;
}

@CommandEndpoint<ReturnParcel, void>({
  restRoute: '/parcels/return',
  graphQLMutation: 'returnParcel',
  requestType: ReturnRequest,
})
class ReturnParcel extends Command {
  parcelId!: Uuid;
}

@CommandEndpoint<OpenOffice, boolean | null>({ graphQLMutation: 'openOffice' })
class OpenOffice extends Command {}

class ParcelSent extends Event {
  to!: Uuid;
}

export const postOfficeSchema = `
directive @discriminated(by: String!, values: [String!]!, types: [String!]!) on UNION
type Query { service: String! }
type Mutation {
  sendParcel(command: SendParcelInput!): Parcel
  returnParcel(request: ReturnRequestInput!): Boolean
  openOffice: Boolean
}
input SendParcelInput { to: Uuid!, weight: Decimal!, speed: Speed! = normal, labels: JSON, payment: JSON, note: String }
input ReturnRequestInput { parcelId: Uuid! }
enum Speed { normal express }
type Parcel {
  parcelId: Uuid!
  price: Decimal!
  speed: Speed!
  labels: JSON
  payment: Payment
  note: String
  stops: [Stop!]!
}
type Stop { city: String!, next: String }
union Payment @discriminated(by: "method", values: ["card", "by-transfer"], types: ["Card", "Transfer"]) = Card | Transfer
type Card { method: CardMethod!, number: String! }
enum CardMethod { card }
type Transfer { method: String!, iban: String! }
scalar Uuid
scalar Decimal
scalar JSON
`;

type Handle<TCommand extends Command> = Receptor<TCommand, unknown>['handle'];

/** What tests of the post office vary. */
export interface Counter extends Hooks<Command> {
  readonly send?: Handle<SendParcel>;
  readonly open?: Handle<OpenOffice>;
  readonly deadlineMs?: number;
  readonly development?: boolean;
  readonly authentication?: Authentication;
  /** What the commands need, by name; 'authenticated' unless given. */
  readonly permissions?: Readonly<Record<string, RequiredPermission>>;
}

export interface PostOffice {
  readonly url: string;
  readonly store: InMemoryEventStore;
  readonly connections: Connections;
}

/** A listening server with REST and GraphQL in front of the same counter; it closes after the body. */
export async function withPostOffice(
  counter: Counter,
  body: (office: PostOffice) => Promise<void>,
): Promise<void> {
  const store = new InMemoryEventStore();
  const gate = new InMemoryIdempotencyGate(store);
  const dispatcher = new LocalDispatcher({ store });
  const { authentication, permissions = {} } = counter;
  const endpoints = postOffice(dispatcher, counter).map((registration) => {
    const permission = permissions[registration.command.name];
    return permission === undefined ? registration : { ...registration, permission };
  });
  const callerOf = callersOf(authentication?.guard);
  const ports = { store, gate, deadlineMs: counter.deadlineMs ?? 30_000, callerOf };
  const server = createHttpServer(endpoints, ports, { bodyLimit: 1_048_576 });
  const connections = new Connections(server.app.server);
  graphqlRoutes(server.app, {
    shedding: new Shedding(connections),
    schema: postOfficeSchema,
    endpoints,
    ports,
    connections,
    bodyLimit: 1_048_576,
    development: counter.development ?? true,
    authentication,
  });
  await whileListening(server, dispatcher, (url) => body({ url, store, connections }));
}

/** Registers the receptors and returns the endpoints. */
export function postOffice(dispatcher: LocalDispatcher, counter: Counter): readonly EndpointRegistration[] {
  dispatcher.register([
    receptor<SendParcel, unknown>(SendParcel, { handle: counter.send ?? sendParcel }),
    receptor<ReturnParcel, void>(ReturnParcel, { handle: () => undefined }),
    receptor<OpenOffice, unknown>(OpenOffice, { handle: counter.open ?? (() => undefined) }),
  ]);
  const desk = new HookedEndpoint<Command>(dispatcher, counter);
  const returns = new MappingEndpoint<Command, ReturnRequest>(dispatcher, counter, ({ parcelId }) =>
    ReturnParcel.of({ parcelId }),
  );
  return [
    endpoint({ command: SendParcel, endpoint: desk, decode: decodeSendParcel }),
    endpoint({ command: ReturnParcel, endpoint: returns, decode: decodeReturn }),
    endpoint({ command: OpenOffice, endpoint: desk, decode: () => new OpenOffice() }),
  ];
}

export function sendParcel(command: SendParcel, _signal: AbortSignal, work: UnitOfWork): Parcel {
  const { to, weight, speed, labels, payment, note } = command;
  const parcelId = newUuid();
  work.append(parcelId, ParcelSent.of({ to }));
  return { parcelId, price: weight, speed, labels, payment, note, stops: [{ city: 'Bern' }] };
}

const decodeSendParcel: Decode<SendParcel> = (value, path, faults) => {
  const from = object(value, path, faults);
  if (from === undefined) return invalid;
  const command = new SendParcel();
  command.to = uuid(from['to'], `${path}/to`, faults);
  command.weight = decimal(from['weight'], `${path}/weight`, faults, { maximum: 30 });
  if (from['speed'] !== undefined) command.speed = from['speed'] as SendParcel['speed'];
  if (from['labels'] !== undefined) command.labels = from['labels'] as Json;
  if (from['payment'] !== undefined) command.payment = from['payment'] as Json;
  if (from['note'] !== undefined && from['note'] !== null)
    command.note = text(from['note'], `${path}/note`, faults);
  return command;
};

const decodeReturn: Decode<ReturnRequest> = (value, path, faults) => {
  const from = object(value, path, faults);
  if (from === undefined) return invalid;
  return Object.assign(new ReturnRequest(), { parcelId: uuid(from['parcelId'], `${path}/parcelId`, faults) });
};
