import * as assert from 'uvu/assert';
import type { StoredEvent } from '../../contracts/event-store.js';
import { Command, Event } from '../../contracts/message.js';
import { later, type Reaction, type Sent, unschedule } from '../../contracts/reaction.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { givenReaction as given } from './given-reaction.js';

const test = suite('given a reaction');

class OrderCreated extends Event {
  orderId!: string;
}
class ReserveStock extends Command {
  orderId!: string;
}

const created = OrderCreated.of({ orderId: 'o' });

const reaction = (
  react: (event: StoredEvent<OrderCreated>) => Sent | readonly Sent[] | void,
): Reaction<OrderCreated> => ({ name: 'reserve-stock', events: [OrderCreated], react });

const reserve = ({ payload: { orderId } }: StoredEvent<OrderCreated>) => ReserveStock.of({ orderId });

const failureOf = (run: Promise<void>): Promise<string> =>
  run.then(
    () => '',
    (error: Error) => error.message,
  );

test('a reaction is tested by an event and what it sends', async () => {
  await given(reaction(reserve))
    .when(created)
    .thenSends(ReserveStock.of({ orderId: 'o' }));
  await given(reaction(() => undefined))
    .when(created)
    .thenNothing();
  const options = { in: 'PT15M', name: 'payment', key: 'o' } as const;
  const both = (event: StoredEvent<OrderCreated>) => [
    later(reserve(event), options),
    unschedule('reminder', 'o'),
  ];
  await given(reaction(both))
    .when(created)
    .thenSends(later(ReserveStock.of({ orderId: 'o' }), options), unschedule('reminder', 'o'));
});

test('what is not as expected fails', async () => {
  assert.match(await failureOf(given(reaction(reserve)).when(created).thenNothing()), /strictly deep-equal/);
  const other = ReserveStock.of({ orderId: 'p' });
  assert.match(
    await failureOf(given(reaction(reserve)).when(created).thenSends(other)),
    /strictly deep-equal/,
  );
});

test('an event that never reaches the reaction fails, whatever react would do with it', async () => {
  assert.is(
    await failureOf(
      given({ ...reaction(reserve), events: [] })
        .when(created)
        .thenSends(ReserveStock.of({ orderId: 'o' })),
    ),
    'The reaction reserve-stock never gets OrderCreated: add it to its events.',
  );
});

test('a reaction that makes ids or reads the clock is found', async () => {
  for (const id of [newUuid, () => String(Date.now()), () => new Date().toISOString()]) {
    const impure = reaction(() => ReserveStock.of({ orderId: id() }));
    assert.is(
      await failureOf(given(impure).when(created).thenNothing()),
      'The reaction reserve-stock sends other commands when it runs again: it must not read the clock or make ids.',
    );
  }
});

test('a reaction that changes the event is found: others read it too', async () => {
  const changing = reaction((event) => {
    Object.assign(event.payload, { orderId: 'p' });
    return reserve(event);
  });
  assert.match(await failureOf(given(changing).when(created).thenNothing()), /read only property/);
});

test('what a reaction sends instead of a refused command is tested too', async () => {
  const mended: Reaction<OrderCreated> = {
    ...reaction(reserve),
    refused: (_, { code }) => ReserveStock.of({ orderId: code }),
  };
  await given(mended)
    .whenRefused(created, 'sold-out')
    .thenSends(ReserveStock.of({ orderId: 'sold-out' }));
  assert.match(
    await failureOf(given(reaction(reserve)).whenRefused(created, 'sold-out').thenNothing()),
    /has no refused\(\): a refused command parks its key\.$/,
  );
});
