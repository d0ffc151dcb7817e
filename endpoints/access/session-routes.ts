import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../../contracts/problems.js';
import type { Access } from './access.js';
import { mustBeSameOrigin } from './csrf-guard.js';
import type { RouteAccess } from '../route-access.js';
import { postHook, visitIn } from './page-hook.js';
import { expiredCookie, sessionCookie, sessionIn } from './session-cookie.js';
import { holderOf, type Visitor, withCredential } from './visitor.js';

const url = '/console/session';
const resource = { type: 'session' };
const config = { checksAccess: true, ignoresCredentials: true } satisfies RouteAccess;

/**
 * How a browser signs in to the pages: `POST` turns a token, key or JWT into a cookie, `GET` shows whose it is, `DELETE`
 * signs out. The cookie holds the credential, so that one that is revoked stops working at once.
 */
export function sessionRoutes(app: FastifyInstance, access: Access): void {
  app.post(url, { config, bodyLimit: 16_384, onRequest: postHook }, async (request, reply) => {
    const credential = credentialIn(request.body);
    const visitor = await visitorWith(request, access, credential);
    const isEncrypted = access.proxies?.isEncrypted(request) ?? false;
    const cookie = sessionCookie(request.headers, credential, isEncrypted);
    if (cookie === undefined)
      throw new Problem('body-too-large', { detail: 'A browser cannot keep a credential of this length.' });
    return send(reply.header('set-cookie', cookie), shownName(visitor));
  });
  app.get(url, { config }, async (request, reply) => {
    const credential = sessionIn(request.headers);
    if (credential === undefined) return send(reply, null);
    const user = await visitorWith(request, access, credential).then(shownName, () => null);
    return send(reply, user);
  });
  app.delete(url, { config }, (request, reply) => {
    mustBeSameOrigin(request);
    return send(reply.header('set-cookie', expiredCookie(request.headers)), null);
  });
}

async function visitorWith(request: FastifyRequest, access: Access, credential: string): Promise<Visitor> {
  return holderOf(withCredential(visitIn(request), credential), access, 'observe', resource);
}

function credentialIn(body: unknown): string {
  const { credential } = { ...(body as object | undefined) } as { readonly credential?: unknown };
  // A line break would end the header that the credential is checked in.
  if (typeof credential === 'string' && /^[^\p{Cc}]+$/u.test(credential)) return credential.trim();
  throw new Problem('unauthenticated', { detail: 'Send a token, an API key or a JWT as credential.' });
}

/** For the page alone: the audit has the actor. */
const shownName = ({ identity, actor }: Visitor): string => identity?.displayName ?? actor;

const send = (reply: FastifyReply, user: string | null): FastifyReply =>
  reply
    .header('cache-control', 'no-store')
    .type('application/json; charset=utf-8')
    .send(JSON.stringify({ user }));
