import type { RequestHeaders } from '../../contracts/identity.js';

/** The token of `Authorization: Bearer`; undefined for another scheme. */
export function bearerOf({ authorization }: RequestHeaders): string | undefined {
  return typeof authorization === 'string' && /^bearer /i.test(authorization)
    ? authorization.slice('bearer '.length).trim()
    : undefined;
}
