import { Command, Event } from '../../../contracts/message.js';
import type { Reaction } from '../../../contracts/reaction.js';
import type { Receptor, ReceptorRegistration } from '../../../contracts/receptor.js';
import { Problem } from '../../../contracts/problems.js';

export class Placed extends Event {
  declare orderId: string;
  declare round: string;
  declare item: 'sound' | 'poison' | 'hanging';
}
export class Reserve extends Command {
  declare orderId: string;
  declare round: string;
  declare item: Placed['item'];
}
class Reserved extends Event {
  declare orderId: string;
  declare round: string;
}
class Remind extends Command {
  declare orderId: string;
  declare round: string;
  declare due: string;
}
class Reminded extends Event {
  declare round: string;
  declare due: string;
}

export const reserveStock: Reaction<Placed> = {
  name: 'reserve-stock',
  events: [Placed],
  react: ({ payload: { orderId, round, item } }) => Reserve.of({ orderId, round, item }),
};

const reserve: Receptor<Reserve, void> = {
  handle: async ({ orderId, round, item }, work) => {
    if (item === 'poison') throw new Problem('unexpected', { detail: 'It cannot be reserved.' });
    if (item === 'hanging') await new Promise((_, reject) => work.signal.addEventListener('abort', reject));
    work.append(orderId, Reserved.of({ orderId, round }), { expectedPosition: 'any' });
  },
};

const remind: Receptor<Remind, void> = {
  handle: ({ orderId, round, due }, work) =>
    void work.append(orderId, Reminded.of({ round, due }), { expectedPosition: 'any' }),
};

export const shopReceptors: readonly ReceptorRegistration[] = [
  { command: Reserve, receptor: reserve },
  { command: Remind, receptor: remind },
];

export const shopEvents = [Placed, Reserved, Reminded];
