import {
  Command,
  CommandEndpoint,
  type Decimal,
  type Effect,
  type EffectCall,
  EffectRefused,
  type Problem,
  type Uuid,
} from 'svc-runtime';
import { type Cards, cardsIn } from './card-provider.js';
import { CardCharged, CardRefused } from './events.js';

/** Has no route: it is done after the answer, by another system. */
@CommandEndpoint<ChargeCard, void>()
export class ChargeCard extends Command {
  orderId!: Uuid;
  amount!: Decimal;
}

export class CardProvider implements Effect<ChargeCard, CardCharged> {
  readonly name = 'card-provider';
  readonly timeout = 'PT10S';

  /** Credentials of a real provider would be in here, never in a request. */
  readonly cards: Cards = cardsIn(process.env['SVC_DATA_DIR'] ?? '.svc');

  stream({ orderId }: ChargeCard): Uuid {
    return orderId;
  }

  async call({ orderId, amount }: ChargeCard, { id, signal }: EffectCall): Promise<CardCharged> {
    // The id is the same for every attempt, so that no card is charged twice.
    const { chargeId, refused } = await this.cards.charge(id, amount, signal);
    if (chargeId === undefined) throw new EffectRefused(refused);
    return CardCharged.of({ orderId, chargeId });
  }

  failed({ orderId }: ChargeCard, { code }: Problem): CardRefused {
    return CardRefused.of({ orderId, reason: code });
  }
}
