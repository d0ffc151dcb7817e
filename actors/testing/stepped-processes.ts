import { type AnyStateMachine } from 'xstate';
import { Command, Event } from '../../contracts/message.js';
import type { StoredProcess } from '../../contracts/reaction-store.js';
import { OrderCancelled, OrderCreated, PaymentReceived, StockReserved } from './order-fulfilment.js';
import { storedEvent } from '../../runtime/kit/stored-event.js';
import type { Process } from '../processes/process.js';
import { type StepOutcome } from '../processes/process-step.js';
import { processSetup, shape } from '../processes/process-setup.js';

export const orderId = '0190b5d4-0000-7000-8000-000000000001';
export const reservationId = '0190b5d4-0000-7000-8000-000000000002';
export const created = storedEvent(OrderCreated.of({ orderId }));
export const reserved = storedEvent(StockReserved.of({ orderId, reservationId }), 2);
export const paid = storedEvent(PaymentReceived.of({ orderId }), 3);
export const cancelled = storedEvent(OrderCancelled.of({ orderId }), 4);
export const quarter = 15 * 60_000;

class Ping extends Event {
  n!: number;
}
export class Pong extends Command {
  n!: number;
}

export const small = processSetup({
  events: { Ping },
  commands: { Pong },
  context: shape<Record<string, unknown>>(),
  delays: { soon: 1000 },
  raises: shape<{ type: 'remind'; note: string }>(),
});

/** A process of one machine; all events are for one instance. */
export const processOf = (machine: AnyStateMachine, more: Partial<Process> = {}): Process => ({
  name: 'small',
  version: 1,
  machine,
  starts: [Ping],
  key: () => 'one',
  ...more,
});
export const ping = (n = 1) => storedEvent(Ping.of({ n }), n);

export const trailOf = (row: StoredProcess | undefined): readonly { readonly event: string }[] =>
  (row?.trail ?? []) as unknown as readonly { readonly event: string }[];

export const codeOf = (outcome: StepOutcome): string =>
  outcome.kind === 'parked' ? outcome.problem.code : outcome.kind;

export const detailOf = (outcome: StepOutcome): string =>
  outcome.kind === 'parked' ? outcome.problem.message : outcome.kind;
