import { readFileSync } from 'node:fs';
import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify';
import { Problem } from '../../contracts/problems.js';
import type { RouteAccess } from '../route-access.js';
import { etagOf, isKnown } from './etag.js';
import { securityHeaders } from '../security-headers.js';

/** A file that is the same for every client, by its path. */
export interface StaticFile {
  readonly path: string;
  readonly type: string;
  readonly content: string | Buffer;
}

export const mediaTypes = {
  html: 'text/html; charset=utf-8',
  script: 'text/javascript; charset=utf-8',
  style: 'text/css; charset=utf-8',
  json: 'application/json; charset=utf-8',
} as const;

/** A content security policy with these sources, which also forbids framing. */
export const contentPolicy = (...sources: readonly string[]): string =>
  [...sources, "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"].join('; ');

export const pageHeaders = (policy: string) =>
  ({ ...securityHeaders, 'content-security-policy': policy }) as const;

interface FileAccess {
  readonly config?: RouteAccess;
  readonly onRequest?: onRequestHookHandler[];
  /** Throws the reason why a request may not read the file. */
  readonly mayRead?: (request: FastifyRequest) => void;
}

/** Serves a file with its policy; one that the browser has cached is not sent again. */
export function serveFile(
  app: FastifyInstance,
  { path, type, content }: StaticFile,
  policy: string,
  { mayRead, ...door }: FileAccess = {},
): void {
  const etag = etagOf(content);
  const headers = { etag, 'cache-control': 'no-cache', ...pageHeaders(policy) };
  app.get(path, { exposeHeadRoute: true, ...door }, (request, reply) => {
    mayRead?.(request);
    reply.headers(headers);
    if (isKnown(request.headers, etag)) return reply.code(304).send();
    return reply.type(type).send(content);
  });
}

/** A file of a page, from the build output beside the code that serves it. */
export function builtFile(location: URL): Buffer {
  try {
    return readFileSync(location);
  } catch (cause) {
    const detail = `The page ${location.pathname} is not built; run npm run build.`;
    throw new Problem('invalid-setup', { detail, cause });
  }
}
