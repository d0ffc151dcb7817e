import { Command, Event, SystemEvent } from '../../contracts/message.js';
import { Problem } from '../../contracts/problems.js';
import type { UnitStore } from '../../contracts/unit-store.js';
import { newUuid } from '../../contracts/uuid.js';
import { Cancellation } from '../lang/cancellation.js';
import type { Auditor } from '../unit/audited-unit.js';
import { type ContextInit, RequestContext } from '../request/request-context.js';
import { InMemoryEventStore } from '../kit/in-memory-event-store.js';
import { envelopeOf } from '../unit/envelope-of.js';
import { StagedUnit, type UnitStaging } from '../unit/unit-of-work.js';

export class ShipOrder extends Command {}
export class OrderCreated extends Event {}
export class OrderShipped extends Event {
  declare carrier: string;
}
export class HostStarted extends SystemEvent {}

export const order = newUuid();

interface Setup {
  readonly init?: Partial<ContextInit>;
  readonly stage?: UnitStaging['system'];
  readonly auditor?: Auditor;
}

export function unit<TStore extends UnitStore = InMemoryEventStore>(
  { init = {}, stage, auditor }: Setup = {},
  store: TStore = new InMemoryEventStore() as unknown as TStore,
) {
  const context = new RequestContext({ transport: 'local', cancellation: new Cancellation(), ...init });
  const staging = {
    ...(stage === undefined ? {} : { system: stage }),
    ...(auditor === undefined ? {} : { auditor }),
  };
  return { store, work: new StagedUnit(context, store, staging) };
}

export async function unitOnOrderOf(events: number) {
  const { store, work } = unit();
  for (let n = 0; n < events; n++) await store.append(order, other());
  return { store, work };
}

export const other = () => envelopeOf(new OrderCreated(), order, unit().work.context);

export const shipped = (carrier: string) => OrderShipped.of({ carrier });

export const codeOf = (error: unknown): string => (error instanceof Problem ? error.code : String(error));

export const isProblem = (code: string) => (error: unknown) =>
  error instanceof Problem && error.code === code;
