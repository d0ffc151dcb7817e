import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { eventModelOf, type SeenEvent } from './event-model.js';

const test = suite('event model');

const declared = {
  commands: ['BakeBread', 'SellBread'],
  events: ['BreadBaked'],
  perspectives: [{ name: 'breads', events: ['BreadBaked'] }],
};

const seen = (type: string, correlationId: string, agoSeconds = 1): SeenEvent => ({
  type,
  correlationId,
  agoSeconds,
});

test('an event belongs to the command of its request; its age decides whether it counts as recent', () => {
  const commands: Readonly<Record<string, string>> = { a: 'BakeBread', b: 'BakeBread' };
  const model = eventModelOf(
    declared,
    [seen('BreadBaked', 'a'), seen('BreadBaked', 'b', 61), seen('BreadSold', 'other')],
    (id) => commands[id],
  );
  assert.equal(model.appended, [{ command: 'BakeBread', event: 'BreadBaked', count: 2, lately: 1 }]);
  assert.equal(model.events, [
    { type: 'BreadBaked', count: 2, lately: 1 },
    { type: 'BreadSold', count: 1, lately: 1 },
  ]);
  assert.is(model.examined, 3);
});

test('what is declared is there before anything is stored', () => {
  const model = eventModelOf(declared, [], () => undefined);
  assert.equal(model.commands, ['BakeBread', 'SellBread']);
  assert.equal(model.events, [{ type: 'BreadBaked', count: 0, lately: 0 }]);
});

test('a command that another version of the service had is there too', () => {
  assert.equal(eventModelOf(declared, [seen('Old', 'x')], () => 'OldCommand').commands.at(-1), 'OldCommand');
});

test.run();
