import type { FastifyInstance } from 'fastify';
import type { Access } from '../access/access.js';
import { observerHooks } from '../access/page-hook.js';
import { builtFile, contentPolicy, mediaTypes, serveFile, type StaticFile } from '../http/static-file.js';

/** `GET /openapi.json`, and `GET /docs`: a page that shows it and loads nothing from other servers. */
export function docsRoutes(app: FastifyInstance, document: string, access?: Access): void {
  const onRequest = observerHooks(access, 'docs');
  const files = [{ path: '/openapi.json', type: mediaTypes.json, content: document }, ...docsPage()];
  for (const file of files) serveFile(app, file, policy, { onRequest });
}

/** The script builds the page from `openapi.json`; its URLs are relative, for a proxy with a prefix. */
const docsPage = (): readonly StaticFile[] => [
  { path: '/docs', type: mediaTypes.html, content: built('index.html') },
  { path: '/docs/script.js', type: mediaTypes.script, content: built('script.js') },
  { path: '/docs/style.css', type: mediaTypes.style, content: built('style.css') },
];

/** `GET /asyncapi.json`. */
export function asyncApiRoute(app: FastifyInstance, content: string, access?: Access): void {
  const onRequest = observerHooks(access, 'docs');
  serveFile(app, { path: '/asyncapi.json', type: mediaTypes.json, content }, policy, { onRequest });
}

const built = (name: string): Buffer => builtFile(new URL(`./docs/${name}`, import.meta.url));

const policy = contentPolicy(
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  'img-src data:',
);
