import type { IncomingHttpHeaders } from 'node:http';

/** The token of `Authorization: Bearer`. */
export function bearerOf({ authorization = '' }: IncomingHttpHeaders): string | undefined {
  return /^bearer /i.test(authorization) ? authorization.slice('bearer '.length).trim() : undefined;
}

/** The credential in the headers of a request, valid or not. */
export function credentialOf(headers: IncomingHttpHeaders): string | undefined {
  const { authorization, 'x-api-key': key } = headers;
  return bearerOf(headers) ?? authorization ?? (key === undefined ? undefined : String(key));
}
