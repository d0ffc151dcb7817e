import * as assert from 'uvu/assert';
import type { AnyEffect } from '../../contracts/effect.js';
import { Command } from '../../contracts/message.js';
import { suite } from '../../contracts/testing/suite.js';
import { thrownBy } from '../testing/thrown-by.js';
import { knownEffects } from './known-effect.js';

const test = suite('settings of effects');

class SendSms extends Command {}

const known = (...settings: Partial<AnyEffect>[]) =>
  knownEffects(
    settings.map((each) => ({
      command: SendSms,
      effect: { name: 'sms', call: () => Promise.resolve(), ...each },
    })),
  );

test('an effect is tried eight times, or for as long as it says', () => {
  const [[, plain] = [], [, long] = []] = [...known({}), ...known({ retries: { for: 'P3D' } })];
  assert.equal([plain?.attempts, plain?.timeoutMs], [8, 30_000]);
  assert.equal([long?.attempts, long?.forMs], [Infinity, 3 * 86_400_000]);
});

for (const [settings, why] of [
  [[{ name: 'Sms' }], 'needs a name in kebab-case'],
  [[{}, {}], 'is there twice'],
  [[{ timeout: 'P2D' }], 'needs timeout from PT0.001S to P1D, not P2D'],
  [[{ timeout: '2 days' }], "timeout '2 days' is not a duration"],
  [[{ retries: { for: 'P31D' } }], 'needs retries.for from PT0.001S to P30D'],
  [[{ concurrency: 0 }], 'needs concurrency as a whole number from 1 to 10000'],
  [[{ rate: { calls: 1.5, per: 'PT1S' } }], 'needs rate.calls as a whole number'],
  [[{ perLane: 1, retries: { for: 'P2D' } }], 'one request could hold its lane for that long'],
] as const)
  test(`an effect that ${why.slice(0, 40)} is refused at the start`, async () => {
    assert.match(String(await thrownBy(() => known(...settings))), why);
  });
