import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Problem } from '../../contracts/problems.js';

export interface Visitor {
  readonly remoteAddress: string | undefined;
  readonly headers: IncomingHttpHeaders;
  /** The token it brought. */
  readonly token: string | null;
}

/** Why a visitor may not look: somebody on this machine may, or who has the token; and no page of another site. */
export function refusalOf(
  { remoteAddress, headers, token }: Visitor,
  expected?: string,
): Problem | undefined {
  if (!mayComeFrom(headers)) return denied('The page that asks is of another site.');
  if (expected !== undefined && token !== null && isSame(token, expected)) return undefined;
  if (isLocal(remoteAddress, headers)) return undefined;
  return denied('Ask from this machine, or with ?t= and the token in SVC_INSPECT_TOKEN.');
}

const denied = (detail: string): Problem => new Problem('access-denied', { detail });

/** Only browsers send an origin; one of this machine may be anything that is being developed on it. */
function mayComeFrom({ origin, host = '' }: IncomingHttpHeaders): boolean {
  if (origin === undefined) return true;
  if (!URL.canParse(origin)) return false;
  const from = new URL(origin);
  return isLoopback(from.hostname) || from.host === host.toLowerCase();
}

/** A name that leads here but is not ours may be a page that rebinds its own; what a proxy passes on comes from elsewhere. */
function isLocal(remoteAddress = '', headers: IncomingHttpHeaders): boolean {
  if (headers['x-forwarded-for'] !== undefined || headers.forwarded !== undefined) return false;
  const host = `http://${headers.host ?? ''}`;
  return isLoopback(remoteAddress) && URL.canParse(host) && isLoopback(new URL(host).hostname);
}

const isLoopback = (address: string): boolean =>
  /^(?:localhost|\[?::1\]?|(?:::ffff:)?127\.\d+\.\d+\.\d+)$/.test(address);

function isSame(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
