import { SignJWT, type JWTPayload } from 'jose';
import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { refusalReasonOf } from '../../../runtime/access/access-guard.js';
import { jwtAuthenticator } from './jwt.js';
import { secondsFromNow, withIssuer } from './testing/issuer.js';

const test = suite('JWT faults');

const secret = 'a secret of thirty-two bytes, no less';
const valid = { iss: 'https://login.example/', aud: 'orders', sub: 'ada', exp: secondsFromNow(600) };

const signed = (claims: JWTPayload, alg = 'HS256', by = secret): Promise<string> =>
  new SignJWT({ ...valid, ...claims }).setProtectedHeader({ alg }).sign(new TextEncoder().encode(by));

type Settings = Parameters<typeof jwtAuthenticator>[0];
const shared: Settings = { key: { secret }, issuer: valid.iss, audience: valid.aud };

async function reasonFor(token: string, settings: Settings = shared): Promise<string | undefined> {
  const headers = { authorization: `Bearer ${token}` };
  try {
    await jwtAuthenticator(settings)({ method: 'GET', url: '/', headers, remoteAddress: '::1' });
  } catch (error) {
    return refusalReasonOf(error);
  }
  return 'accepted';
}

test('the reason names the claim that is wrong and the setting that it must match, not its value', async () => {
  const reasons = {
    'The token has expired.': { exp: secondsFromNow(-60) },
    'The token has no claim exp.': { exp: undefined },
    'The claim nbf of the token is not accepted.': { nbf: secondsFromNow(60) },
    'The token was issued in the future.': { iat: secondsFromNow(60) },
    'The claim iss of the token is not that of SVC_JWT_ISSUER.': { iss: 'secret-value' },
    'The claim aud of the token is not that of SVC_JWT_AUDIENCE.': { aud: 'secret-value' },
    'The token has no claim aud.': { aud: undefined },
    'The claim roles must be a list of texts.': { roles: 'secret-value' },
    'A claim of the token is not valid.': { tenant: 'n'.repeat(257) },
  };
  for (const [reason, claims] of Object.entries(reasons))
    assert.is(await reasonFor(await signed(claims as JWTPayload)), reason);
});

test('the reason says what is wrong with the signature', async () => {
  assert.is(await reasonFor(await signed({}, 'HS256', `${secret}!`)), 'The signature of the token is wrong.');
  const otherAlgorithm = 'The token is signed with an algorithm that this host does not accept.';
  assert.is(await reasonFor(await signed({}, 'HS512', secret.repeat(2))), otherAlgorithm);
  assert.is(await reasonFor('a.b.c'), 'The token is not a JWT.');
  assert.is(await reasonFor('n'.repeat(9_000)), 'The token is too long.');
});

test('the reason says that a key is not in the key set', () =>
  withIssuer(async (issuer) => {
    await issuer.addKey('known');
    const unknown = await issuer.addKey('unknown', 'ES256', false);
    const token = await issuer.sign(unknown, { kid: 'unknown' });
    const settings = { key: issuer, issuer: issuer.issuer, audience: issuer.audience };
    assert.is(await reasonFor(token, settings), 'The key set has no key for the token.');
  }));
