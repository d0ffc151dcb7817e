import * as assert from 'uvu/assert';
import { flagOff, type FlagRules } from '../../contracts/flags.js';
import { suite } from '../../contracts/testing/suite.js';
import { KnownFlags } from './known-flags.js';
import type { StoredFlags } from './read-flags.js';

const test = suite('known flags');

function knowing(declared: readonly string[] = []) {
  const warned: string[] = [];
  const store = { flags: {} as Record<string, Partial<FlagRules>>, reads: 0, isDown: false };
  const read = async (): Promise<StoredFlags | undefined> => {
    store.reads++;
    if (store.isDown) throw new RangeError('away');
    const rules = Object.entries(store.flags).map(([name, one]) => [name, { ...flagOff, ...one }] as const);
    return { version: String(store.reads), rules: new Map(rules) };
  };
  return { store, warned, flags: new KnownFlags(read, declared, (name) => void warned.push(name)) };
}

test('an evaluation reads nothing', async () => {
  const { store, flags } = knowing();
  store.flags = { 'gift-wrap': { on: true } };
  await flags.refresh();
  for (let n = 0; n < 1_000; n++) assert.is(flags.isOn('gift-wrap', {}), true);
  assert.is(store.reads, 1);
});

test('the scope of the caller decides', async () => {
  const { store, flags } = knowing();
  store.flags = { 'gift-wrap': { tenants: { acme: true } } };
  await flags.refresh();
  assert.equal([flags.isOn('gift-wrap', { tenantId: 'acme' }), flags.isOn('gift-wrap', {})], [true, false]);
});

test('while the store is down the last known value holds', async () => {
  const { store, flags } = knowing();
  store.flags = { 'gift-wrap': { on: true } };
  await flags.refresh();
  store.isDown = true;
  store.flags = {};
  await flags.refresh().catch(() => undefined);
  assert.is(flags.isOn('gift-wrap', {}), true);
});

test('an unknown version is taken whole, and the known one leaves everything as it is', async () => {
  const answers: (StoredFlags | undefined)[] = [
    { version: '1', rules: new Map([['gift-wrap', { ...flagOff, on: true }]]) },
    undefined,
    { version: '2', rules: new Map() },
  ];
  const asked: (string | undefined)[] = [];
  const flags = new KnownFlags(async (known) => {
    asked.push(known);
    return answers.shift();
  });
  const seen: boolean[] = [];
  for (let n = 0; n < 3; n++) {
    await flags.refresh();
    seen.push(flags.isOn('gift-wrap', {}));
  }
  assert.equal(
    [asked, seen],
    [
      [undefined, '1', '1'],
      [true, true, false],
    ],
  );
});

test('an unknown flag is off and causes one warning; a declared one is off without any', async () => {
  const { warned, flags } = knowing(['gift-wrap']);
  await flags.refresh();
  for (let n = 0; n < 3; n++)
    assert.equal([flags.isOn('gift-warp', {}), flags.isOn('gift-wrap', {})], [false, false]);
  assert.equal(warned, ['gift-warp']);
});

test('the number of warnings is bounded', () => {
  const { warned, flags } = knowing();
  for (let n = 0; n < 1_000; n++) flags.isOn(`flag-${n}`, {});
  assert.is(warned.length, 100);
});
