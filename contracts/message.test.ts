import * as assert from 'uvu/assert';
import {
  Command,
  Event,
  messageTypeOf,
  SystemEvent,
  typeNameOf,
  versionOf,
  type Properties,
} from './message.js';
import { suite } from './testing/suite.js';

const test = suite('message');

class CreateOrder extends Command {
  customerId!: string;
  express = false;
}

class OrderCreated extends Event {
  orderId!: string;
}

class DiskFilled extends SystemEvent {
  percent!: number;
}

test('of() builds a message of its class from its properties', () => {
  const command = CreateOrder.of({ customerId: 'c-1', express: true });
  assert.instance(command, CreateOrder);
  assert.is(command.customerId, 'c-1');
  assert.is(command.express, true);
  assert.instance(OrderCreated.of({ orderId: 'o-1' }), OrderCreated);
});

test('a message carries nothing but its properties', () => {
  assert.is(JSON.stringify(OrderCreated.of({ orderId: 'o-1' })), '{"orderId":"o-1"}');
});

test('a system event is an event, a command is not', () => {
  assert.instance(DiskFilled.of({ percent: 99 }), Event);
  assert.not.instance(CreateOrder.of({ customerId: 'c-1', express: false }), Event);
});

test('the compiler distinguishes commands, domain events and system events', () => {
  const commandIsEvent: CreateOrder extends Event ? true : false = false;
  const domainIsSystem: OrderCreated extends SystemEvent ? true : false = false;
  const systemIsEvent: DiskFilled extends Event ? true : false = true;
  const init: keyof Properties<OrderCreated> = 'orderId';
  assert.equal([commandIsEvent, domainIsSystem, systemIsEvent, init], [false, false, true, 'orderId']);
});

test('the wire name of a message is its class name', () => {
  assert.is(typeNameOf(OrderCreated), 'OrderCreated');
  assert.is(typeNameOf('OrderCreated'), 'OrderCreated');
});

test('a message is written with the version of its class, 1 where it has none', () => {
  class Second extends Event {
    static readonly version = 2;
  }
  class Heir extends Second {}
  class Odd extends Event {
    static readonly version = 'two';
  }
  assert.equal([OrderCreated, Second, Heir, Odd].map(versionOf), [1, 2, 2, 1]);
});

test('an envelope has the class of its payload; plain data has the wire name', () => {
  const of = (payload: unknown) =>
    messageTypeOf({ messageId: '', messageType: 'OrderCreated', payload, timestamp: '', v: 1 });
  class Other extends OrderCreated {}
  assert.is(of(OrderCreated.of({ orderId: 'o' })), OrderCreated);
  assert.is(of(Other.of({ orderId: 'o' })), Other);
  const bare = Object.create(null) as object;
  for (const plain of [{}, [], null, undefined, 'text', bare, { constructor: OrderCreated }, new Map()])
    assert.is(of(plain), 'OrderCreated');
});
