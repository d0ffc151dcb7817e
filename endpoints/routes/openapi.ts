import type { FastifyInstance } from 'fastify';
import { etagOf, isKnown } from '../http/etag.js';
import { page } from './docs/page.js';
import { script } from './docs/script.js';
import { style } from './docs/style.js';

/** `GET /openapi.json`, and `GET /docs`: a page that shows it without asking any other server. */
export function docsRoutes(app: FastifyInstance, document: string): void {
  serve(app, '/openapi.json', 'application/json; charset=utf-8', document);
  serve(app, '/docs', 'text/html; charset=utf-8', page);
  serve(app, '/docs/script.js', 'text/javascript; charset=utf-8', script);
  serve(app, '/docs/style.css', 'text/css; charset=utf-8', style);
}

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  'img-src data:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

function serve(app: FastifyInstance, url: string, type: string, text: string): void {
  const etag = etagOf(text);
  const headers = {
    etag,
    'cache-control': 'no-cache',
    'content-security-policy': policy,
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  };
  app.get(url, { exposeHeadRoute: true }, (request, reply) => {
    reply.headers(headers);
    if (isKnown(request.headers, etag)) return reply.code(304).send();
    return reply.type(type).send(text);
  });
}
