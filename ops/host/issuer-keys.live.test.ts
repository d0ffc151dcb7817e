import { suite } from '../../contracts/testing/suite.js';
import { withIssuer } from '../../endpoints/access/jwt/testing/issuer.js';
import { until } from '../../runtime/kit/until.js';
import { withHost, bearer, list, mustServe, permissions } from '../testing/authenticated-host.js';

const test = suite('authentication of a host');

test('keys of an issuer are used as it publishes them', () =>
  withIssuer(async (issuer) => {
    const first = await issuer.addKey('first');
    const env = {
      SVC_AUTH: 'jwt',
      SVC_JWT_JWKS_URL: issuer.jwksUrl,
      SVC_JWT_ISSUER: issuer.issuer,
      SVC_JWT_AUDIENCE: issuer.audience,
    };
    await withHost(env, async ({ url }) => {
      await mustServe(url, bearer(await issuer.sign(first, { kid: 'first' }, { permissions })));
      const second = await issuer.addKey('second');
      const rotated = bearer(await issuer.sign(second, { kid: 'second' }, { permissions }));
      await until(async () => (await list(url, rotated)).status === 200);
      issuer.answer = (response) => response.destroy();
      await mustServe(url, bearer(await issuer.sign(second, { kid: 'second' }, { permissions, jti: '2' })));
    });
  }));
