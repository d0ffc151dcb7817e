import { CommandEndpoint } from '../../contracts/command-endpoint.js';
import type { Effect, EffectCall } from '../../contracts/effect.js';
import { Command, Event } from '../../contracts/message.js';
import type { Problem } from '../../contracts/problems.js';
import type { Dispatcher, UnitOfWork } from '../../contracts/receptor.js';
import type { TimerOptions } from '../../contracts/reaction.js';
import type { Uuid } from '../../contracts/scalars.js';
import { receptor } from '../../endpoints/registrations.js';
import type { Registry, ServiceDefinition } from '../../endpoints/service-definition.js';

export class SendSms extends Command {
  declare orderId: Uuid;
  declare to: string;
}
export class SmsSent extends Event {
  declare orderId: Uuid;
  declare smsId: string;
}
class SmsNotSent extends Event {
  declare orderId: Uuid;
  declare reason: string;
}
@CommandEndpoint<Remind, void>({ restRoute: '/reminders' })
export class Remind extends Command {
  declare orderId: Uuid;
  declare to: string;
  declare options?: TimerOptions;
}
export class Forget extends Command {
  declare orderId: Uuid;
}

/** Sets a timer that is due at once. */
export class Nudge extends Command {
  declare orderId: Uuid;
}
class NudgeNow extends Nudge {}
export class Nudged extends Event {
  declare orderId: Uuid;
}

/** What the other system does with a call, by whom the text is for. */
type Answer = (call: EffectCall, to: string) => string | Promise<string>;

interface Gateway {
  /** The ids of all calls, in their order. */
  readonly calls: { readonly id: Uuid; readonly to: string; readonly attempt: number }[];
  answer: Answer;
}

export const gateway = (): Gateway => ({ calls: [], answer: ({ id }) => `sms ${id}` });

type SmsEffect = Effect<SendSms, SmsSent>;

export const smsGateway = (other: Gateway, settings: Partial<SmsEffect> = {}): SmsEffect => ({
  name: 'sms-gateway',
  stream: ({ orderId }) => orderId,
  call: async ({ orderId, to }, call) => {
    other.calls.push({ id: call.id, to, attempt: call.attempt });
    return SmsSent.of({ orderId, smsId: await other.answer(call, to) });
  },
  ...settings,
});

/** Says with an event that it was given up. */
export const saysWhy = ({ orderId }: SendSms, { code }: Problem): SmsNotSent =>
  SmsNotSent.of({ orderId, reason: code });

/** A shop whose texts another system sends. */
export const textingShop = (
  effect: SmsEffect,
  isCreated: (local: Dispatcher) => void = () => undefined,
  more: Partial<Registry> = {},
  receptors: Registry['receptors'] = [],
): ServiceDefinition => ({
  name: 'shop',
  create: (dispatcher) => {
    isCreated(dispatcher);
    return {
      endpoints: [],
      receptors: [
        ...receptors,
        receptor(Remind, {
          handle: ({ orderId, to, options }, work: UnitOfWork) =>
            work.send(SendSms.of({ orderId, to }), { name: 'reminder', key: orderId, ...options }),
        }),
        receptor(Nudge, {
          handle: ({ orderId }, work: UnitOfWork) => work.schedule(NudgeNow.of({ orderId }), { in: 'PT0S' }),
        }),
        receptor(NudgeNow, {
          handle: ({ orderId }, work: UnitOfWork) => void work.append(orderId, Nudged.of({ orderId })),
        }),
        receptor(Forget, { handle: ({ orderId }, work: UnitOfWork) => work.unsend('reminder', orderId) }),
      ],
      effects: [{ command: SendSms, effect }],
      events: [SmsSent, SmsNotSent, Nudged],
      ...more,
    };
  },
});
