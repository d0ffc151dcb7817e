import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify';
import { Problem } from '../../contracts/problems.js';
import type { RouteAccess } from '../route-access.js';
import { securityHeaders } from '../security-headers.js';

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

export const etagOf = (content: string | Buffer): string => `"${hash('sha256', content, 'base64url')}"`;

/** `If-None-Match` compares weakly: a compressing proxy may have weakened the tag. */
export function isKnown(headers: IncomingHttpHeaders, etag: string): boolean {
  const tags = headers['if-none-match']?.split(',').map((tag) => tag.trim()) ?? [];
  return tags.some((tag) => tag === '*' || tag === etag || tag === `W/${etag}`);
}

/** A page of a folder as one response: it contains its script and style, and may load only what `sources` add. */
export function inlinePage(folder: URL, ...sources: readonly string[]) {
  const built = (name: string): string => builtFile(new URL(name, folder)).toString();
  const script = built('script.js');
  const style = built('style.css');
  const policy = contentPolicy(
    "default-src 'none'",
    `script-src ${sourceOf(script)}`,
    `style-src ${sourceOf(style)}`,
    "connect-src 'self'",
    ...sources,
  );
  return {
    text: built('index.html')
      .replace('</style>', () => `${style}</style>`)
      .replace('</script>', () => `${script}</script>`),
    headers: { 'content-type': mediaTypes.html, 'cache-control': 'no-store', ...pageHeaders(policy) },
  } as const;
}

/** A page of a folder without a script: it contains its style, and loads nothing. */
export function inlineStyle(folder: URL) {
  const style = builtFile(new URL('style.css', folder)).toString();
  const page = builtFile(new URL('index.html', folder)).toString();
  return {
    html: page.replace('</style>', () => `${style}</style>`),
    policy: contentPolicy("default-src 'none'", `style-src ${sourceOf(style)}`, 'img-src data:'),
  } as const;
}

const sourceOf = (text: string): string => `'sha256-${hash('sha256', text, 'base64')}'`;
