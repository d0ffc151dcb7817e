import { type EffectCall, type EffectRegistration, TryLater } from '../../../contracts/effect.js';
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

/** Calls the provider at this address in the name of a host. */
export const callsTo =
  (provider: string, host: string) =>
  async ({ id, signal }: EffectCall): Promise<void> => {
    const { status } = await fetch(`${provider}/${host}/${id}`, { method: 'POST', signal });
    if (status === 429) throw new TryLater('PT1S');
    if (status !== 200) throw new TypeError(`the provider answers ${status}`);
  };
