import { type Decode, int, invalid, object, text } from '../../contracts/codec.js';
import { CommandEndpoint } from '../../contracts/command-endpoint.js';
import { Command, Event } from '../../contracts/message.js';
import type { Receptor } from '../../contracts/receptor.js';
import type { Uuid } from '../../contracts/scalars.js';
import { endpoint, receptor } from '../../endpoints/registrations.js';
import type { ServiceDefinition } from '../../endpoints/service-definition.js';
import { HookedEndpoint } from '../../endpoints/testing/hooked-endpoint.js';

@CommandEndpoint<TakePayment, unknown>({ restRoute: '/payments', permission: 'public' })
class TakePayment extends Command {
  tillId!: Uuid;
  amount!: number;
}
class PaymentTaken extends Event {
  amount!: number;
}

/** The payments of one till queue, and each answer is the number of the payment. */
const takePayment: Receptor<TakePayment, unknown> = {
  key: ({ tillId }) => tillId,
  retryOnConflict: 20,
  handle: async ({ tillId, amount }, work) => {
    let number = 1;
    for await (const _ of work.read(tillId)) number++;
    work.append(tillId, PaymentTaken.of({ amount }));
    return { number };
  },
};

const decode: Decode<TakePayment> = (value, path, faults) => {
  const from = object(value, path, faults);
  if (from === undefined) return invalid;
  return TakePayment.of({
    tillId: text(from['tillId'], `${path}/tillId`, faults),
    amount: int(from['amount'], `${path}/amount`, faults),
  });
};

const definition: ServiceDefinition = {
  name: 'till',
  create: (dispatcher) => ({
    endpoints: [
      endpoint({
        command: TakePayment,
        endpoint: new HookedEndpoint<TakePayment>(dispatcher, {}),
        decode,
      }),
    ],
    receptors: [receptor(TakePayment, takePayment)],
    events: [PaymentTaken],
  }),
};

export default definition;
