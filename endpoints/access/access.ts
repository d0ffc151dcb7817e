import type { IncomingHttpHeaders } from 'node:http';
import { Problem } from '../../contracts/problems.js';
import type { Authentication } from './authentication.js';
import { bearerOf } from './credentials.js';
import type { FailedLogins } from './failed-logins.js';
import { isLoopbackAddress, isLoopbackHost, nonLocalRefusalOf } from './local-requests.js';
import { Tokens } from './tokens.js';
import type { TrustedProxies } from './trusted-proxies.js';

export interface PageRequest {
  readonly remoteAddress: string | undefined;
  readonly headers: IncomingHttpHeaders;
  /** The `?t=` parameter, for clients that cannot send a header, such as a WebSocket in a browser. */
  readonly queryToken?: string | undefined;
}

/** Who may observe a host, and who may operate it. */
export interface Access {
  readonly tokens: Tokens;
  /** Without a token only this machine may observe, unless a proxy in front controls access. */
  readonly localOnly: boolean;
  /** Set: without a token, looking and acting need a permission. */
  readonly authentication?: Authentication | undefined;
  readonly failedLogins?: FailedLogins | undefined;
  readonly proxies?: TrustedProxies;
  /** How often the credentials of an open connection are checked again. */
  readonly recheckMs?: number;
}

export const closedAccess: Access = { tokens: new Tokens(), localOnly: true };

/**
 * Why a caller may not observe: a configured token is always required; without one the caller must be on this
 * machine. Pages of other sites are refused.
 */
export function observerRefusalOf(visitor: PageRequest, { tokens, localOnly }: Access): Problem | undefined {
  const { headers, remoteAddress = '', queryToken } = visitor;
  const foreign = foreignPageRefusalOf(headers);
  if (foreign !== undefined) return foreign;
  if (tokens.roleOf(bearerOf(headers) ?? queryToken) !== undefined) return undefined;
  if (tokens.areSet) return unauthenticated('Looking', 'SVC_INSPECT_TOKEN or SVC_OPERATOR_TOKEN');
  // Any other program of this machine may serve a page, and a WebSocket knows no cross-origin rules.
  if (!isOwnOrigin(headers)) return denied(otherPageDetail);
  if (!localOnly) return undefined;
  return (
    nonLocalRefusalOf(headers) ?? (isLoopbackAddress(remoteAddress) ? undefined : denied(notLocalDetail))
  );
}

/** Returns who operates; always requires a token in a header, which no page of another site can send. */
export function operatorIn({ headers }: Pick<PageRequest, 'headers'>, { tokens }: Access): string {
  if (!tokens.canOperate)
    throw denied('Operator actions are disabled: start this host with SVC_OPERATOR_TOKEN to enable them.');
  if (tokens.roleOf(bearerOf(headers)) !== 'operator') throw unauthenticated('Acting', 'SVC_OPERATOR_TOKEN');
  return 'operator-token';
}

/** Why a page of another site may not look. */
export const foreignPageRefusalOf = (headers: IncomingHttpHeaders): Problem | undefined =>
  isAllowedOrigin(headers) ? undefined : denied('The requesting page belongs to another site.');

/** Only browsers send an origin; one on this machine may be any page under development. */
const isAllowedOrigin = (headers: IncomingHttpHeaders): boolean =>
  isOwnOrigin(headers) || isLoopbackHost(originOf(headers)?.hostname ?? '');

const isOwnOrigin = (headers: IncomingHttpHeaders): boolean =>
  headers.origin === undefined || originOf(headers)?.host === headers.host?.toLowerCase();

const originOf = ({ origin = '' }: IncomingHttpHeaders): URL | undefined =>
  URL.canParse(origin) ? new URL(origin) : undefined;

const denied = (detail: string): Problem => new Problem('access-denied', { detail });

const otherPageDetail =
  'The requesting page does not belong to this host; start the host with SVC_INSPECT_TOKEN and send that token.';

const notLocalDetail =
  'Send the request from this machine, or start the host with SVC_INSPECT_TOKEN and send that token.';

const unauthenticated = (what: string, names: string): Problem =>
  new Problem('unauthenticated', {
    detail: `${what} needs the token in ${names}, sent as Authorization: Bearer.`,
    headers: { 'www-authenticate': 'Bearer' },
  });
