import type { IncomingHttpHeaders } from 'node:http';
import { Problem } from '../../contracts/problems.js';
import { isLoopbackAddress, isLoopbackHost, nonLocalRefusalOf } from './local-requests.js';
import { Tokens } from './tokens.js';

export interface Caller {
  readonly remoteAddress: string | undefined;
  readonly headers: IncomingHttpHeaders;
  /** What stands in the address behind `?t=`, for what cannot send a header: a WebSocket of a browser. */
  readonly queryToken?: string | undefined;
}

/** Who may look at a host, and who may change it. */
export interface Access {
  readonly tokens: Tokens;
  /** Without a token only this machine may look; not so where a proxy in front decides who comes. */
  readonly localOnly: boolean;
}

export const closedAccess: Access = { tokens: new Tokens(), localOnly: true };

/** Why a visitor may not look: a token that is set is always needed, else one comes from this machine; and no page of another site. */
export function observerRefusalOf(visitor: Caller, { tokens, localOnly }: Access): Problem | undefined {
  const { headers, remoteAddress = '', queryToken } = visitor;
  if (!isAllowedOrigin(headers)) return denied('The page that asks is of another site.');
  if (tokens.roleOf(bearerOf(headers) ?? queryToken) !== undefined) return undefined;
  if (tokens.areSet) return unauthenticated('Looking', 'SVC_INSPECT_TOKEN or SVC_OPERATOR_TOKEN');
  if (!localOnly) return undefined;
  return (
    nonLocalRefusalOf(headers) ?? (isLoopbackAddress(remoteAddress) ? undefined : denied(notLocalDetail))
  );
}

/** Who acts; a token in a header is always needed, which no page of another site can send. */
export function operatorIn({ headers }: Pick<Caller, 'headers'>, { tokens }: Access): string {
  if (!tokens.canOperate)
    throw denied('Nobody may act on this host until it is started with SVC_OPERATOR_TOKEN.');
  if (tokens.roleOf(bearerOf(headers)) !== 'operator') throw unauthenticated('Acting', 'SVC_OPERATOR_TOKEN');
  return 'operator-token';
}

function bearerOf({ authorization = '' }: IncomingHttpHeaders): string | undefined {
  return /^bearer /i.test(authorization) ? authorization.slice('bearer '.length).trim() : undefined;
}

/** Only browsers send an origin; one of this machine may be anything that is being developed on it. */
function isAllowedOrigin({ origin, host = '' }: IncomingHttpHeaders): boolean {
  if (origin === undefined) return true;
  if (!URL.canParse(origin)) return false;
  const from = new URL(origin);
  return isLoopbackHost(from.hostname) || from.host === host.toLowerCase();
}

const denied = (detail: string): Problem => new Problem('access-denied', { detail });

const notLocalDetail = 'Ask from this machine, or start the host with SVC_INSPECT_TOKEN and bring that.';

const unauthenticated = (what: string, names: string): Problem =>
  new Problem('unauthenticated', {
    detail: `${what} needs the token in ${names}, sent as Authorization: Bearer.`,
    headers: { 'www-authenticate': 'Bearer' },
  });
