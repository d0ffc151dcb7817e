import { test } from 'node:test';
import { given } from 'svc-runtime/testing';
import { CardProvider, ChargeCard } from './charge-card.js';
import type { Cards, Charge } from './card-provider.js';
import { CardCharged, CardRefused } from './events.js';

const orderId = '0190b5d4-0000-7000-8000-000000000001';
const request = ChargeCard.of({ orderId, amount: '12.50' });
const answering = (charge: Charge): CardProvider => {
  const cards: Cards = { charge: () => Promise.resolve(charge) };
  return Object.assign(new CardProvider(), { cards });
};

test('a card is charged, and the order says with which charge', () =>
  given(answering({ chargeId: 'c-1' }))
    .when(request)
    .thenStores([orderId, CardCharged.of({ orderId, chargeId: 'c-1' })]));

test('a card that is refused is not charged again', () =>
  given(answering({ refused: 'limit' }))
    .when(request)
    .thenStores([orderId, CardRefused.of({ orderId, reason: 'limit' })]));
