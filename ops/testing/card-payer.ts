import { type Effect, EffectRefused } from '../../contracts/effect.js';
import { Command, Event } from '../../contracts/message.js';
import type { Uuid } from '../../contracts/scalars.js';
import { newUuid } from '../../contracts/uuid.js';

export class PayByCard extends Command {
  card!: string;
  mishap!: string;
}

export class CardPaid extends Event {
  mishap!: string;
}

/** Fails with the card in its error, which the other system has repeated in its answer. */
export class CardPayer implements Effect<PayByCard, CardPaid> {
  readonly name = 'card-payer';
  readonly retries = { attempts: 2, first: 'PT0.05S' };
  /** A client of another system, with the key that nothing else has. */
  private readonly client = {
    token: process.env['CARD_PROVIDER_KEY'] ?? '',
    answer: (card: string) => ({ status: card }),
  };
  stream = (): Uuid => newUuid();

  call({ card, mishap }: PayByCard): Promise<CardPaid> {
    const { status } = this.client.answer(`no such card: ${card}`);
    if (mishap === 'call') throw new TypeError(status);
    if (mishap === 'refused') throw new EffectRefused('card-refused', status);
    return Promise.resolve(CardPaid.of({ mishap }));
  }
}
