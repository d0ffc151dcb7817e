import * as assert from 'uvu/assert';
import type { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { operatedShop, Register, why } from '../testing/operated-shop.js';

const test = suite('svc reservations');

const { shared, send, svc, json, mistake, acted } = operatedShop();
test.before(() => shared.start());
test.after(() => shared.stop());

test('a reserved name is listed without its value, and free after its release', async () => {
  const [ada, bob] = [newUuid(), newUuid()];
  const register = (customerId: string) =>
    send(Register.of({ customerId, email: 'ada@example.org' })).then(
      () => 'registered',
      (error: unknown) => (error as Problem).code,
    );
  assert.equal([await register(ada), await register(bob)], ['registered', 'already-reserved']);
  const [listed] = await json<readonly { name: string; owner: string }[]>(
    'reservations',
    'list',
    '--name',
    'email',
  );
  assert.equal([listed?.name, listed?.owner], ['email', ada]);
  const line = await mistake('reservations', 'release', 'email', 'eve@example.org', ...why);
  assert.is(line, 'Nobody has this value of email without a tenant; it is compared exactly.');
  const { stdout } = await svc('reservations', 'release', 'email', 'ada@example.org', ...why);
  assert.is(stdout, 'The value of email is free.\n');
  assert.is(await register(bob), 'registered');
  assert.not((await acted()).some((text) => text.includes('example.org')));
});
