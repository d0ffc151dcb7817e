import type { Authenticate, RequestHeaders } from '../../contracts/identity.js';
import { unauthenticated } from '../../runtime/access/access-guard.js';
import type { KnownApiKeys } from '../../runtime/access/known-api-keys.js';
import { bearerOf } from './credentials.js';

/** Authenticates callers by an API key in `Authorization: Bearer svc_…` or in `X-Api-Key`. */
export const apiKeyAuthenticator =
  (keys: Pick<KnownApiKeys, 'identityOf'>): Authenticate =>
  ({ headers }) => {
    const key = apiKeyIn(headers);
    if (key === undefined) return null;
    const identity = keys.identityOf(key);
    if (identity === undefined) throw unauthenticated('The API key is unknown or revoked.');
    return identity;
  };

function apiKeyIn(headers: RequestHeaders): string | undefined {
  const bearer = bearerOf(headers);
  const fromBearer = bearer?.startsWith('svc_') === true ? bearer : undefined;
  const { 'x-api-key': given } = headers;
  if (given === undefined) return fromBearer;
  // With two keys it would depend on the reader who is calling.
  if (typeof given !== 'string' || (fromBearer !== undefined && fromBearer !== given))
    throw unauthenticated('The request has two API keys.');
  return given;
}
