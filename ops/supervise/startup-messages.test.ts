import { EventEmitter } from 'node:events';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { receiveStartupMessages } from './startup-messages.js';

const test = suite('beginning of a host');

const bake = { command: 'Bake', until: Date.now() + 60_000 };
const brew = { command: 'Brew', until: Date.now() + 60_000 };

test('a host starts with the quarantine that came with the order to start', async () => {
  const channel = new EventEmitter();
  const { begun, quarantine } = receiveStartupMessages(channel);
  channel.emit('message', { type: 'quarantine', commands: [brew] });
  channel.emit('message', { type: 'begin', name: 'north-1', quarantined: [bake] });
  assert.is((await begun).name, 'north-1');
  assert.equal(quarantine.entries, [bake]);
});

test('a quarantine that arrives together with the order to start is not lost', async () => {
  const channel = new EventEmitter();
  const { begun, quarantine } = receiveStartupMessages(channel);
  channel.emit('message', { type: 'begin', name: 'north-1', quarantined: [] });
  channel.emit('message', { type: 'quarantine', commands: [bake] });
  await begun;
  assert.equal(quarantine.entries, [bake]);
});
