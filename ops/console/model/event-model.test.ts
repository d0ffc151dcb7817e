import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
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
    ({ correlationId }) => commands[correlationId],
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

test('a process is there with its events and commands before it runs, and counts what it was seen to send', () => {
  const process = {
    kind: 'process',
    name: 'bake-and-sell',
    events: ['BreadBaked'],
    commands: ['SellBread'],
  } as const;
  const reaction = { kind: 'reaction', name: 'thank', events: ['BreadSold'], commands: [] } as const;
  const model = eventModelOf({ ...declared, senders: [process, reaction] }, [], () => undefined, [
    { by: process, command: 'SellBread', agoSeconds: 1 },
    { by: process, command: 'SellBread', agoSeconds: 90 },
    { by: reaction, command: 'Thank', agoSeconds: 1 },
  ]);
  assert.equal(
    model.events.map(({ type }) => type),
    ['BreadBaked', 'BreadSold'],
  );
  assert.equal(
    model.sent.map(({ by, command, count, lately }) => [by.name, command, count, lately]),
    [
      ['bake-and-sell', 'SellBread', 2, 1],
      ['thank', 'Thank', 1, 1],
    ],
  );
});
