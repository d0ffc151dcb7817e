import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { readConfig } from './config.js';
import { faultsOf } from '../testing/config-faults.js';

const test = suite('config of authentication');

const SVC_JWT_SECRET = 'a secret of thirty-two bytes, no less';
const SVC_JWT_JWKS_URL = 'https://login.example/keys';

const accessOf = (env: Record<string, string>) => {
  const { auth, localOnly } = readConfig(env);
  return { auth, localOnly };
};

test('without SVC_AUTH only this machine may connect', () => {
  assert.equal(accessOf({}), { auth: [], localOnly: true });
  assert.equal(accessOf({ SVC_AUTH: 'none' }), { auth: [], localOnly: false });
  assert.equal(accessOf({ SVC_AUTH: 'jwt', SVC_JWT_SECRET }), { auth: ['jwt'], localOnly: false });
  assert.equal(accessOf({ SVC_AUTH: 'api-key,jwt', SVC_JWT_SECRET }), {
    auth: ['jwt', 'api-key'],
    localOnly: false,
  });
});

test('tokens are verified with a shared key, or with the keys of an issuer', () => {
  const jwtOf = (env: Record<string, string>) => readConfig({ SVC_AUTH: 'jwt', ...env }).jwt;
  assert.equal(jwtOf({ SVC_JWT_SECRET }), {
    key: { secret: SVC_JWT_SECRET },
    issuer: undefined,
    audience: undefined,
  });
  const named = { SVC_JWT_ISSUER: 'https://login.example/', SVC_JWT_AUDIENCE: 'orders' };
  const [issuer, audience] = Object.values(named);
  for (const jwksUrl of ['https://login.example/keys', 'http://127.0.0.1:80/keys', 'http://[::1]/keys'])
    assert.equal(jwtOf({ SVC_JWT_JWKS_URL: jwksUrl, ...named }), { key: { jwksUrl }, issuer, audience });
});

for (const [env, fault] of [
  [{}, 'SVC_AUTH=jwt needs either SVC_JWT_SECRET, a shared key for HS256, or SVC_JWT_JWKS_URL'],
  [{ SVC_JWT_SECRET: 'hidden' }, 'SVC_JWT_SECRET must have at least 32 bytes'],
  [{ SVC_JWT_JWKS_URL }, 'SVC_JWT_JWKS_URL needs SVC_JWT_ISSUER and SVC_JWT_AUDIENCE'],
  [
    { SVC_JWT_JWKS_URL, SVC_JWT_ISSUER: 'hidden' },
    'SVC_JWT_JWKS_URL needs SVC_JWT_ISSUER and SVC_JWT_AUDIENCE',
  ],
  ...['http://login.example/hidden', 'hidden', 'file:///hidden', 'https://a:hidden@login.example/'].map(
    (url) => [
      { SVC_JWT_JWKS_URL: url, SVC_JWT_ISSUER: 'a', SVC_JWT_AUDIENCE: 'b' },
      'SVC_JWT_JWKS_URL must be an https URL such as https://login.example/.well-known/jwks.json (http for this machine only)',
    ],
  ),
] as const) {
  test(`SVC_AUTH=jwt is refused with ${JSON.stringify(env)}, and no value is repeated`, () => {
    assert.is(faultsOf({ SVC_AUTH: 'jwt', ...(env as Record<string, string>) }), fault);
  });
}

test('a shared key and the keys of an issuer exclude each other', () => {
  const both = { SVC_JWT_SECRET, SVC_JWT_JWKS_URL, SVC_JWT_ISSUER: 'a', SVC_JWT_AUDIENCE: 'b' };
  assert.match(faultsOf({ SVC_AUTH: 'jwt', ...both }), /needs either SVC_JWT_SECRET/);
});

test('settings for tokens that nobody would check are refused', () => {
  const unused = 'would have no effect: set SVC_AUTH=jwt, or unset';
  for (const SVC_AUTH of ['', 'none', 'api-key'])
    assert.is(faultsOf({ SVC_AUTH, SVC_JWT_SECRET: 'hidden' }), `SVC_JWT_SECRET ${unused} it`);
  assert.is(
    faultsOf({ SVC_JWT_JWKS_URL, SVC_JWT_AUDIENCE: 'orders' }),
    `SVC_JWT_JWKS_URL, SVC_JWT_AUDIENCE ${unused} them`,
  );
  assert.equal(accessOf({ SVC_JWT_SECRET: '' }), { auth: [], localOnly: true });
});

for (const value of ['nonsense', 'None', 'jwt,none', 'jwt,', 'jwt,jwt', ' jwt']) {
  test(`SVC_AUTH='${value}' is refused`, () => {
    assert.match(faultsOf({ SVC_AUTH: value }), /^SVC_AUTH must be jwt, api-key, jwt,api-key, or none/);
  });
}
