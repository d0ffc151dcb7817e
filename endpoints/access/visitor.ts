import type { GuardedResource, Identity } from '../../contracts/identity.js';
import { Permission } from '../../contracts/permission.js';
import { unauthenticated } from '../../runtime/access/access-guard.js';
import { isThenable } from '../../runtime/lang/thenable.js';
import { type Access, foreignPageRefusalOf, observerRefusalOf, operatorIn } from './access.js';
import { type Authentication, type Identifiable, isUnauthenticated } from './authentication.js';
import { correlationOf } from '../http/correlation.js';
import { bearerOf, credentialOf, onlyCredential } from './credentials.js';
import { mustComeFromPage } from './csrf-guard.js';
import { RequestOrigin } from './request-origin.js';
import { sessionIn } from './session-cookie.js';

/** Looking at a host, or changing something on it. */
export type PageAction = 'observe' | 'operate';

export interface Visit extends Identifiable {
  /** The `?t=` parameter, for clients that cannot send a header. */
  readonly queryToken?: string | undefined;
}

/** Who looks or acts, for the audit. */
export interface Visitor {
  readonly actor: string;
  /** Unset: a token was sent, or none is needed. */
  readonly identity?: Identity | undefined;
}

const required = { observe: Permission.of('svc', 'observe'), operate: Permission.of('svc', 'operate') };

/** Who visits a page; throws why they may not. */
export function visitorOf(
  visit: Visit,
  access: Access,
  action: PageAction,
  resource: GuardedResource,
): Visitor | Promise<Visitor> {
  const sent = withSession(visit);
  if (access.authentication === undefined) return visitorWithoutIdentity(sent, access, action);
  const foreign = foreignPageRefusalOf(sent.headers);
  if (foreign !== undefined) throw foreign;
  return holderOf(sent, access, action, resource);
}

/** Who holds the credential of a request; throws if there is none, or if it does not allow the action. */
export function holderOf(
  visit: Visit,
  { tokens, authentication, failedLogins }: Access,
  action: PageAction,
  resource: GuardedResource,
): Visitor | Promise<Visitor> {
  const { headers, queryToken } = visit;
  const bearer = bearerOf(headers);
  const token = bearer ?? (action === 'observe' ? queryToken : undefined);
  const refusal = token === undefined ? undefined : failedLogins?.refusalOf(visit, token);
  if (refusal !== undefined) throw refusal;
  const role = tokens.roleOf(token);
  if (role !== undefined) {
    if (token !== undefined) failedLogins?.accepted(visit, token);
    if (role === 'observer' && action === 'operate') throw unauthenticated();
    return { actor: `${role}-token` };
  }
  if (authentication === undefined) {
    if (token !== undefined) failedLogins?.failed(visit, token);
    throw unauthenticated();
  }
  // No authenticator looks at the URL.
  if (bearer === undefined && token !== undefined) failedLogins?.failed(visit, token);
  return identified(
    bearer === undefined ? visit : withCredential(visit, bearer),
    authentication,
    action,
    resource,
  );
}

/** Who holds an identity that allows the action. */
function identified(
  visit: Visit,
  { identify, guard, proxies, unrecognized }: Authentication,
  action: PageAction,
  resource: GuardedResource,
): Visitor | Promise<Visitor> {
  const origin = new RequestOrigin(visit, proxies);
  const admit = (found: Identity | null): Visitor => {
    if (found === null) unrecognized?.(visit);
    const identity = found ?? undefined;
    const refusal = guard.refusalOf(identity, required[action], resource, undefined, origin);
    if (refusal !== undefined) throw refusal;
    return { actor: identity === undefined ? 'observer' : nameOf(identity), identity };
  };
  const refused = (error: unknown): never => {
    if (isUnauthenticated(error)) guard.unidentified(required[action], resource, origin);
    throw error;
  };
  let found: ReturnType<typeof identify>;
  try {
    found = identify(visit);
  } catch (error) {
    return refused(error);
  }
  return isThenable(found) ? found.then(admit, refused) : admit(found);
}

/** The rules of a host that does not authenticate: tokens, otherwise this machine alone. */
function visitorWithoutIdentity(visit: Visit, access: Access, action: PageAction): Visitor {
  const { headers, queryToken, socket } = visit;
  const { failedLogins } = access;
  const token = bearerOf(headers) ?? queryToken;
  const limited = token === undefined ? undefined : failedLogins?.refusalOf(visit, token);
  if (limited !== undefined) throw limited;
  try {
    if (action === 'operate') return { actor: operatorIn(visit, access) };
    const refusal = observerRefusalOf({ headers, queryToken, remoteAddress: socket.remoteAddress }, access);
    if (refusal !== undefined) throw refusal;
    return { actor: 'observer' };
  } catch (error) {
    if (token !== undefined && access.tokens.roleOf(token) === undefined && isUnauthenticated(error))
      failedLogins?.failed(visit, token);
    throw error;
  }
}

/** The same for the pages of the host, too, which act for the person who is signed in. */
export const alsoForPages = (authentication: Authentication): Authentication => ({
  ...authentication,
  identify: (request) => authentication.identify(withSession(request)),
});

/** A request with the cookie of a browser that signed in, as if it had sent the credential in a header. */
function withSession(visit: Visit): Visit {
  const { headers, method, queryToken } = visit;
  const session =
    credentialOf(headers) !== undefined || queryToken !== undefined ? undefined : sessionIn(headers);
  if (session === undefined) return visit;
  mustComeFromPage(method, visit);
  return withCredential(visit, session);
}

export function withCredential(visit: Visit, credential: string): Visit {
  return {
    method: visit.method,
    url: visit.url,
    socket: visit.socket,
    correlation: correlationOf(visit),
    headers: onlyCredential(visit.headers, credential),
  };
}

/** Users may choose their display name, and with it the name of another. */
const nameOf = ({ scope: { userId }, source }: Identity): string => userId ?? source;
