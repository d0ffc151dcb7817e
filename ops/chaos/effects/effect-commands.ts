import {
  type AnyEffect,
  type EffectCall,
  type EffectRegistration,
  TryLater,
} from '../../../contracts/effect.js';
import { Command, Event } from '../../../contracts/message.js';
import type { ReceptorRegistration } from '../../../contracts/receptor.js';
import type { Json, Uuid } from '../../../contracts/scalars.js';
import type { UnitOfWork } from '../../../contracts/receptor.js';

/** Called in turns by tenant. */
export class Charge extends Command {
  declare account: Uuid;
  declare n: number;
  declare parts?: number;
}
/** Called one after another for each tenant. */
export class Print extends Charge {}
/** Calls for each part, and keeps how far it has come. */
export class Upload extends Charge {}
/** Sent by timers. */
export class Tick extends Command {
  declare account: Uuid;
  declare dueMs: number;
}

class Charged extends Event {
  declare n: number;
}
class Printed extends Charged {}
class Ticked extends Event {
  declare dueMs: number;
}

/** Reaches the provider; a part has a key of its own. */
type Calls = (effect: string, call: EffectCall, part?: string) => Promise<void>;

/** What a run changes of its effects, by name. */
export type EffectSettings = Readonly<
  Record<string, Pick<AnyEffect, 'concurrency' | 'rate' | 'perLane'> | undefined>
>;

/** What the hosts of a run do. */
export function effectsThat(calls: Calls, settings: EffectSettings = {}): readonly EffectRegistration[] {
  const shared = {
    timeout: 'PT20S',
    retries: { for: 'P1D', first: 'PT0.1S', most: 'PT1S' },
    stream: ({ account }: Charge) => account,
  };
  const charge: AnyEffect = {
    name: 'charge',
    ...shared,
    ...settings['charge'],
    call: async ({ n }: Charge, call) => {
      await calls('charge', call);
      return Charged.of({ n });
    },
  };
  const print: AnyEffect = {
    name: 'print',
    ...shared,
    perLane: 1,
    ...settings['print'],
    call: async ({ n }: Print, call) => {
      await calls('print', call);
      return Printed.of({ n });
    },
  };
  const upload: AnyEffect = {
    name: 'upload',
    ...shared,
    timeout: 'PT2H',
    ...settings['upload'],
    call: async ({ n, parts = 1 }: Upload, call) => {
      for (let part = uploaded(call.last) + 1; part <= parts; part++) {
        await calls('upload', call, `-${part}`);
        await call.progress(part);
      }
      return Charged.of({ n });
    },
  };
  return [
    { command: Charge, effect: charge },
    { command: Print, effect: print },
    { command: Upload, effect: upload },
  ];
}

const uploaded = (last: Json | undefined): number => (typeof last === 'number' ? last : 0);

/** Stores when a timer was due. */
export const tickReceptor: ReceptorRegistration = {
  command: Tick,
  receptor: {
    handle: ({ account, dueMs }: Tick, work: UnitOfWork) =>
      void work.append(account, Ticked.of({ dueMs }), { expectedPosition: 'any' }),
  },
};

/** What the provider answers to end a host. */
export const deadlyStatus = 418;

/** Calls the provider at this address in the name of a host. */
export const callsTo =
  (provider: string, host: string): Calls =>
  async (effect, { id, signal }, part = '') => {
    const { status } = await fetch(`${provider}/${host}/${effect}/${id}${part}`, { method: 'POST', signal });
    if (status === deadlyStatus) process.kill(process.pid, 'SIGKILL');
    if (status === 429) throw new TryLater('PT1S');
    if (status !== 200) throw new TypeError(`the provider answers ${status}`);
  };
