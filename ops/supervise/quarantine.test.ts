import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { Quarantine } from './quarantine.js';

const test = suite('quarantine');

const settings = { after: 3, withinMs: 1_000, forMs: 5_000 };
const bake = (key?: string) => ({ command: 'Bake', ...(key === undefined ? {} : { key }) });

test('the third host lost to a command puts it in quarantine for a while', () => {
  const quarantine = new Quarantine(settings);
  assert.is(quarantine.recordLoss(bake(), 0), undefined);
  assert.is(quarantine.recordLoss({ command: 'Sell' }, 1), undefined);
  assert.is(quarantine.recordLoss(bake(), 2), undefined);
  assert.equal(quarantine.recordLoss(bake(), 3), { command: 'Bake', until: 5_003 });
  assert.equal(quarantine.entriesAt(5_002), [{ command: 'Bake', until: 5_003 }]);
  assert.equal(quarantine.entriesAt(5_003), []);
});

test('hosts that were lost long ago do not count', () => {
  const quarantine = new Quarantine(settings);
  for (const at of [0, 600, 1_200, 1_800]) assert.is(quarantine.recordLoss(bake(), at), undefined);
});

test('hosts lost to one key put that key in quarantine, and those lost to three keys the command', () => {
  const one = new Quarantine(settings);
  for (const at of [0, 1]) one.recordLoss(bake('7'), at);
  assert.equal(one.recordLoss(bake('7'), 2), { command: 'Bake', key: '7', until: 5_002 });
  const many = new Quarantine(settings);
  for (const [at, key] of ['7', '8'].entries()) many.recordLoss(bake(key), at);
  assert.equal(many.recordLoss(bake('9'), 2), { command: 'Bake', until: 5_002 });
  const unknown = new Quarantine(settings);
  unknown.recordLoss(bake(), 0);
  unknown.recordLoss(bake('7'), 1);
  assert.equal(unknown.recordLoss(bake('7'), 2), { command: 'Bake', until: 5_002 });
});

test('two keys do not put the command in quarantine, whichever way their losses alternate', () => {
  const quarantine = new Quarantine(settings);
  for (const [at, key] of ['7', '8', '7', '8'].entries())
    assert.is(quarantine.recordLoss(bake(key), at), undefined);
  assert.equal(quarantine.recordLoss(bake('8'), 4), { command: 'Bake', key: '8', until: 5_004 });
  assert.equal(quarantine.recordLoss(bake('7'), 5), { command: 'Bake', key: '7', until: 5_005 });
  assert.is(quarantine.recordLoss(bake('9'), 6), undefined);
  assert.equal(
    quarantine.entriesAt(7).map(({ key }) => key),
    ['8', '7'],
  );
});

test('a command has one entry, although hosts that ran it already are lost after its quarantine', () => {
  const quarantine = new Quarantine(settings);
  for (const at of [0, 1, 2, 3, 4, 5]) quarantine.recordLoss(bake('7'), at);
  assert.equal(quarantine.entriesAt(6), [{ command: 'Bake', key: '7', until: 5_005 }]);
  for (const key of ['8', '9', '8']) quarantine.recordLoss(bake(key), 7);
  assert.equal(quarantine.entriesAt(8), [{ command: 'Bake', until: 5_007 }]);
});

test('after its release counting starts over; with 0 nothing is quarantined', () => {
  const quarantine = new Quarantine(settings);
  for (const at of [0, 1, 2]) quarantine.recordLoss(bake(), at);
  assert.is(quarantine.recordLoss(bake(), 3), undefined);
  const off = new Quarantine({ ...settings, after: 0 });
  for (let at = 0; at < 10; at++) assert.is(off.recordLoss(bake(), at), undefined);
});
