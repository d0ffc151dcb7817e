import type { FastifyInstance } from 'fastify';
import type { Access } from '../access/access.js';
import { observerHooks } from '../access/page-hook.js';
import { builtFile, contentPolicy, mediaTypes, serveFile, type StaticFile } from '../http/static-file.js';

/** `GET /openapi.json`, and `GET /docs`: a page that shows it and loads nothing from other servers. */
export function docsRoutes(
  app: FastifyInstance,
  document: string,
  { access, development = false }: DocsOptions = {},
): void {
  const onRequest = observerHooks(access, 'docs');
  const pages = otherPages(app, development);
  const files = [{ path: '/openapi.json', type: mediaTypes.json, content: document }, ...docsPage(pages)];
  for (const file of files) serveFile(app, file, policy, { onRequest });
}

interface DocsOptions {
  readonly access?: Access | undefined;
  /** There is a landing page. */
  readonly development?: boolean;
}

/** Links to the other pages of the host; they are added before. */
function otherPages(app: FastifyInstance, development: boolean): string {
  const exists = (url: string): boolean => app.hasRoute({ method: 'GET', url });
  return [
    ['/', 'All pages', development || exists('/')] as const,
    ['/console', 'Console', exists('/console')] as const,
    ['/graphql', 'GraphQL', exists('/graphql') && development] as const,
  ]
    .map(([path, name, isThere]) => (isThere ? `<a href=".${path}">${name}</a> ` : ''))
    .join('');
}

/** The script builds the page from `openapi.json`; its URLs are relative, for a proxy with a prefix. */
const docsPage = (pages: string): readonly StaticFile[] => [
  { path: '/docs', type: mediaTypes.html, content: pageWith(pages) },
  { path: '/docs/script.js', type: mediaTypes.script, content: built('script.js') },
  { path: '/docs/style.css', type: mediaTypes.style, content: built('style.css') },
];

/** `GET /asyncapi.json`. */
export function asyncApiRoute(app: FastifyInstance, content: string, access?: Access): void {
  const onRequest = observerHooks(access, 'docs');
  serveFile(app, { path: '/asyncapi.json', type: mediaTypes.json, content }, policy, { onRequest });
}

const pageWith = (pages: string): string =>
  built('index.html')
    .toString()
    .replace('<p class="pages">', (tag) => tag + pages);

const built = (name: string): Buffer => builtFile(new URL(`./docs/${name}`, import.meta.url));

const policy = contentPolicy(
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  'img-src data:',
);
