import type { FastifyReply, FastifyRequest } from 'fastify';
import type { GuardedResource } from '../../contracts/identity.js';
import { Problem } from '../../contracts/problems.js';
import { isThenable } from '../../runtime/lang/thenable.js';
import { correlationOf } from '../http/correlation.js';
import { html, json, preferred } from '../http/media-types.js';
import type { Access } from './access.js';
import { mustBeSameOrigin, mustSendJson } from './csrf-guard.js';
import { type Query, textParameter } from './query-parameters.js';
import { sendSignIn } from './sign-in-page.js';
import { type PageAction, type Visit, type Visitor, visitorOf } from './visitor.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** Who looks at a page or acts on it. */
    visitor?: Visitor;
  }
}

export type PageHook = (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void) => void;

/** Admits who may look at a page or act on it; a browser that may not look gets a form to sign in. */
export function pageHook(
  access: Access,
  resource: GuardedResource,
  action: PageAction = 'observe',
): PageHook {
  return (request, reply, done) => {
    const refuse = (error: unknown): void => {
      if (hasCredentials(access) && asksForPage(request) && isMending(error))
        sendSignIn(request, reply, error);
      else done(error as Error);
    };
    const admit = (visitor: Visitor): void => {
      const { identity } = visitor;
      const limited = identity && access.authentication?.rateLimit?.refusalOf(request, reply, identity);
      if (limited !== undefined) return refuse(limited);
      request.visitor = visitor;
      done();
    };
    try {
      const found = visitorOf(visitIn(request), access, action, resource);
      if (isThenable(found)) found.then(admit, refuse);
      else admit(found);
    } catch (error) {
      refuse(error);
    }
  };
}

/** What is open to everybody until the host authenticates its callers, or has a token for looking. */
export const observerHooks = (access: Access | undefined, type: string): PageHook[] =>
  access !== undefined && isGuarded(access) ? [pageHook(access, { type })] : [];

/** Whether looking at what is open by default needs credentials. */
export const isGuarded = ({ authentication, tokens }: Access): boolean =>
  authentication !== undefined || tokens.mustObserve;

/** Whether there is anything to sign in with. */
const hasCredentials = ({ authentication, tokens }: Access): boolean =>
  authentication !== undefined || tokens.areSet;

/** A request that changes anything must come from a page of this host, or from a program that is not a browser. */
export const postHook: PageHook = (request, _, done) => {
  mustBeSameOrigin(request);
  mustSendJson(request);
  done();
};

export function visitIn(request: FastifyRequest): Visit {
  const { method, url, headers, socket, query } = request;
  const queryToken = textParameter(query as Query, 't');
  return { method, url, headers, socket, queryToken, correlation: correlationOf(request) };
}

/** Other credentials may open the page. */
const isMending = (error: unknown): error is Problem =>
  error instanceof Problem && (error.status === 401 || error.status === 403);

const asksForPage = ({ method, headers }: FastifyRequest): boolean =>
  method === 'GET' && preferred(headers, [json, html]) === html;
