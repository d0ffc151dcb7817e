import { decimal, type Decode, invalid, object, text, uuid } from '../../contracts/codec.js';
import { CommandEndpoint } from '../../contracts/command-endpoint.js';
import { Command, Event } from '../../contracts/message.js';
import type { Dispatcher, Receptor, UnitOfWork } from '../../contracts/receptor.js';
import type { Decimal, Json, Uuid } from '../../contracts/scalars.js';
import { newUuid } from '../../contracts/uuid.js';
import { endpoint, receptor } from '../registrations.js';
import type { Registry } from '../service-definition.js';
import { HookedEndpoint, type Hooks, MappingEndpoint } from './hooked-endpoint.js';

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

@CommandEndpoint<OpenBakery, boolean | null>({ graphQLMutation: 'openBakery' })
class OpenBakery extends Command {}

class ParcelSent extends Event {
  to!: Uuid;
}

export const bakerySchema = `
directive @discriminated(by: String!, values: [String!]!, types: [String!]!) on UNION
type Query { service: String! }
type Mutation {
  sendParcel(command: SendParcelInput!): Parcel
  returnParcel(request: ReturnRequestInput!): Boolean
  openBakery: Boolean
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

/** What tests of the mutations vary. */
export interface Counter extends Hooks<Command> {
  readonly send?: Handle<SendParcel>;
  readonly open?: Handle<OpenBakery>;
}

/** The commands that REST and GraphQL share. */
export function parcels(dispatcher: Dispatcher, counter: Counter): Registry {
  const desk = new HookedEndpoint<Command>(dispatcher, counter);
  const returns = new MappingEndpoint<Command, ReturnRequest>(dispatcher, counter, ({ parcelId }) =>
    ReturnParcel.of({ parcelId }),
  );
  return {
    endpoints: [
      endpoint({ command: SendParcel, endpoint: desk, decode: decodeSendParcel }),
      endpoint({ command: ReturnParcel, endpoint: returns, decode: decodeReturn }),
      endpoint({ command: OpenBakery, endpoint: desk, decode: () => new OpenBakery() }),
    ],
    receptors: [
      receptor<SendParcel, unknown>(SendParcel, { handle: counter.send ?? sendParcel }),
      receptor<ReturnParcel, void>(ReturnParcel, { handle: () => undefined }),
      receptor<OpenBakery, unknown>(OpenBakery, { handle: counter.open ?? (() => undefined) }),
    ],
  };
}

export function sendParcel(command: SendParcel, work: UnitOfWork): Parcel {
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
