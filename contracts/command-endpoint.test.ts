import * as assert from 'uvu/assert';
import { CommandEndpoint, commandEndpointOf, type CommandEndpointDecorator } from './command-endpoint.js';
import { Command } from './message.js';
import { Problem } from './problems.js';
import { suite } from './testing/suite.js';

const test = suite('command-endpoint');

class CancelOrderRequest {
  orderId!: string;
}

@CommandEndpoint<CancelOrder, { status: 'cancelled' }>({
  restRoute: '/orders/cancel',
  graphQLMutation: 'cancelOrder',
  requestType: CancelOrderRequest,
})
class CancelOrder extends Command {
  orderId!: string;
  reason!: string;
}

@CommandEndpoint<ArchiveOrder, void>()
class ArchiveOrder extends Command {
  orderId!: string;
}

test('@CommandEndpoint declares where a command can be sent', () => {
  assert.equal(commandEndpointOf(CancelOrder), {
    restRoute: '/orders/cancel',
    graphQLMutation: 'cancelOrder',
    requestType: CancelOrderRequest,
  });
});

test('an endpoint that is not declared is null', () => {
  assert.equal(commandEndpointOf(ArchiveOrder), {
    restRoute: null,
    graphQLMutation: null,
    requestType: null,
  });
});

test('an endpoint belongs to its command alone, not to a subclass', () => {
  class CancelGift extends CancelOrder {}
  assert.is(commandEndpointOf(CancelGift), undefined);
});

test('a route that does not start with a slash is rejected, naming the command', () => {
  const declare = (): unknown => {
    @CommandEndpoint<ShipOrder, void>({ restRoute: 'orders/ship' })
    class ShipOrder extends Command {}
    return ShipOrder;
  };
  assert.throws(
    declare,
    (error: unknown) =>
      error instanceof Problem &&
      error.code === 'invalid-setup' &&
      error.message === "The REST route 'orders/ship' of ShipOrder must start with '/'.",
  );
});

test('the first type argument must be the decorated class, neither more nor less', () => {
  type Fits<TCommand extends Command, C> =
    CommandEndpointDecorator<TCommand, void> extends (type: C) => void ? true : false;
  const itself: Fits<CancelOrder, typeof CancelOrder> = true;
  const less: Fits<ArchiveOrder, typeof CancelOrder> = false;
  const more: Fits<CancelOrder, typeof ArchiveOrder> = false;
  const base: Fits<Command, typeof ArchiveOrder> = false;
  assert.equal([itself, less, more, base], [true, false, false, false]);
});

test('the result type is part of the declaration', () => {
  type Declares<A, B> =
    CommandEndpointDecorator<ArchiveOrder, A> extends CommandEndpointDecorator<ArchiveOrder, B>
      ? true
      : false;
  const same: Declares<string, string> = true;
  const other: Declares<string, number> = false;
  assert.equal([same, other], [true, false]);
});
