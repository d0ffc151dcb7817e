import * as assert from 'uvu/assert';
import { Command } from './message.js';
import { Sensitive } from './sensitive.js';
import { suite } from './testing/suite.js';

const test = suite('sensitive');

class PayOrder extends Command {
  orderId!: string;
  @Sensitive() cardNumber!: string;
  @Sensitive() attempts = 1;
}

test('@Sensitive leaves a field as it is at run time', () => {
  const command = PayOrder.of({ orderId: 'o-1', cardNumber: '4111', attempts: 2 });
  assert.is(JSON.stringify(command), '{"orderId":"o-1","cardNumber":"4111","attempts":2}');
  assert.is(new PayOrder().attempts, 1);
});

test('@Sensitive is for fields: methods and classes do not compile', () => {
  type Mark = ReturnType<typeof Sensitive>;
  const onMethod: Mark extends (value: () => void, context: ClassMethodDecoratorContext) => void
    ? true
    : false = false;
  const onClass: Mark extends (value: typeof PayOrder, context: ClassDecoratorContext) => void
    ? true
    : false = false;
  assert.equal([onMethod, onClass], [false, false]);
});
