import type { EffectCall, EffectRegistration } from '../../../contracts/effect.js';
import { Command, Event } from '../../../contracts/message.js';
import type { Uuid } from '../../../contracts/scalars.js';

/** Called in turns by tenant. */
export class Charge extends Command {
  declare account: Uuid;
  declare n: number;
}
/** Called one after another for each tenant. */
export class Print extends Charge {}

class Charged extends Event {
  declare n: number;
}
class Printed extends Charged {}

/** What the hosts of a run do; `calls` reaches the provider. */
export const effectsThat = (calls: (call: EffectCall) => Promise<void>): readonly EffectRegistration[] => {
  const settings = {
    timeout: 'PT20S',
    retries: { for: 'P1D', first: 'PT0.1S', most: 'PT1S' },
    stream: ({ account }: Charge) => account,
  };
  return [
    {
      command: Charge,
      effect: {
        ...{ name: 'charge', ...settings },
        call: async ({ n }: Charge, call) => {
          await calls(call);
          return Charged.of({ n });
        },
      },
    },
    {
      command: Print,
      effect: {
        ...{ name: 'print', ...settings, perLane: 1 },
        call: async ({ n }: Print, call) => {
          await calls(call);
          return Printed.of({ n });
        },
      },
    },
  ];
};
