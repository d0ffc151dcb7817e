import * as assert from 'uvu/assert';
import { Permission } from '../../contracts/permission.js';
import type { AnyPerspective } from '../../contracts/perspective.js';
import { suite } from '../../contracts/testing/suite.js';
import { FailedLogins, limitingFailures } from '../access/failed-logins.js';
import { bearing, knownCallers } from '../testing/known-callers.js';
import { checkAgain } from './check-again.js';

const test = suite('callers of open streams');

const breads = { name: 'breads', permission: Permission.of('bread', 'eat') } as AnyPerspective;
const sentBy = (name: string) => ({
  method: 'GET',
  url: '/breads/live',
  headers: bearing(name),
  socket: { remoteAddress: '192.0.2.1' },
});

test('a credential that was revoked is found out, whatever else its address sends', async () => {
  const known = knownCallers();
  const authentication = limitingFailures(known, new FailedLogins(undefined, () => 0));
  const request = sentBy('guest');
  const identity = (await authentication.identify(request)) ?? undefined;
  const check = checkAgain(authentication, breads, { ...request, identity });
  const guess = async (n: number) => authentication.identify(sentBy(`guess-${n}`));
  for (let n = 0; n < 12; n++) await guess(n).catch(() => undefined);
  assert.is(await check(), true, 'who may watch is not disturbed');
  known.revoked.add('guest');
  const code = await check().catch((error: { readonly code: string }) => error.code);
  assert.is(code, 'unauthenticated');
});
