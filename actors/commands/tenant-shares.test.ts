import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { TenantShares } from './tenant-shares.js';

const test = suite('tenant shares');

test('a tenant may take every slot until another one comes, and three quarters from then on', () => {
  const shares = new TenantShares(4);
  shares.seen('a');
  for (let n = 0; n < 3; n++) shares.take('a');
  assert.ok(shares.mayTake('a'));
  shares.seen('b');
  assert.equal([shares.mayTake('a'), shares.mayTake('b')], [false, true]);
  shares.giveBack('a');
  assert.ok(shares.mayTake('a'));
});

test('what a tenant may take depends on what it holds now, however many tenants came before', () => {
  const tenant = fc.integer({ min: 0, max: 200 }).map(String);
  fc.assert(
    fc.property(fc.array(tenant, { maxLength: 600 }), fc.nat(3), (tenants, held) => {
      const shares = new TenantShares(4);
      shares.seen('a');
      shares.seen('b');
      for (let n = 0; n < held; n++) shares.take('a');
      for (const one of tenants) shares.take(one);
      for (const one of tenants) shares.giveBack(one);
      assert.is(shares.mayTake('a'), held < 3);
      assert.ok(tenants.every((one) => shares.mayTake(one)));
    }),
  );
});
