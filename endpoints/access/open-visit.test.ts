import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { until } from '../../runtime/kit/until.js';
import { bearing, knownCallers } from '../testing/known-callers.js';
import { FailedLogins, limitingFailures } from './failed-logins.js';
import { whileAllowed } from './open-visit.js';
import { Tokens } from './tokens.js';

const test = suite('open connections to pages');

const sentBy = (name: string) => ({
  method: 'GET',
  url: '/inspect',
  headers: bearing(name),
  socket: { remoteAddress: '192.0.2.1' },
});

test('a credential that was revoked ends its connection, whatever else its address sends', async () => {
  const known = knownCallers();
  const failedLogins = new FailedLogins(undefined, () => 0);
  const authentication = limitingFailures(known, failedLogins);
  const access = { tokens: new Tokens(), localOnly: false, authentication, failedLogins, recheckMs: 1 };
  const guess = async (n: number) => authentication.identify(sentBy(`guess-${n}`));
  for (let n = 0; n < 12; n++) await guess(n).catch(() => undefined);
  let isOpen = true;
  const stop = whileAllowed(sentBy('observer'), access, { type: 'inspector' }, () => (isOpen = false));
  try {
    await until(() => known.decided.includes('granted eve svc:observe inspector'));
    assert.ok(isOpen);
    known.revoked.add('observer');
    await until(() => !isOpen);
  } finally {
    stop();
  }
});
