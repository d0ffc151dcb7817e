import type { IncomingHttpHeaders } from 'node:http';
import type { RequestHeaders } from '../../contracts/identity.js';

/** The token of `Authorization: Bearer`. */
export function bearerOf({ authorization }: RequestHeaders): string | undefined {
  return typeof authorization === 'string' && /^bearer /i.test(authorization)
    ? authorization.slice('bearer '.length).trim()
    : undefined;
}

/** The credential in the headers of a request, valid or not. */
export function credentialOf(headers: IncomingHttpHeaders): string | undefined {
  const { authorization, 'x-api-key': key } = headers;
  return bearerOf(headers) ?? authorization ?? (key === undefined ? undefined : String(key));
}
