import type { IncomingHttpHeaders } from 'node:http';
import type { RequestHeaders } from '../../contracts/identity.js';

/** The token of `Authorization: Bearer`. */
export function bearerOf({ authorization }: RequestHeaders): string | undefined {
  return typeof authorization === 'string' && /^bearer /i.test(authorization)
    ? authorization.slice('bearer '.length).trim()
    : undefined;
}

/** The credential in the headers of a request, valid or not; with two of them, both: either may be the one that counts. */
export function credentialOf(headers: IncomingHttpHeaders): string | undefined {
  const { authorization, 'x-api-key': key } = headers;
  const sent = bearerOf(headers) ?? authorization;
  if (key === undefined) return sent;
  return sent === undefined ? String(key) : `${sent} ${String(key)}`;
}

/** Whether a credential has the form of a JWT. */
export const isToken = (credential: string): boolean => /^[\w-]+\.[\w-]+\.[\w-]+$/.test(credential);

/** A second credential could be the one that opens, and hide that the first was guessed. */
export function onlyCredential(headers: IncomingHttpHeaders, credential: string): IncomingHttpHeaders {
  const { 'x-api-key': _, ...others } = headers;
  return { ...others, authorization: `Bearer ${credential}` };
}
