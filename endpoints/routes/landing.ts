import type { FastifyInstance } from 'fastify';
import { contentPolicy, mediaTypes, serveFile } from '../http/static-file.js';

const links = [
  ['/docs', 'API'],
  ['/graphql', 'GraphQL'],
  ['/console', 'Console'],
  ['/health', 'Health'],
  ['/metrics', 'Metrics'],
] as const;

/** `GET /`, unless the application has it: links to what else there is. Added last, when all routes are known. */
export function landingRoute(app: FastifyInstance): void {
  const exists = (url: string): boolean => app.hasRoute({ method: 'GET', url });
  if (exists('/')) return;
  // Addresses are relative, for a proxy with a prefix.
  const items = links
    .filter(([path]) => exists(path))
    .map(([path, name]) => `<li><a href=".${path}">${name}</a></li>`);
  const content = `${head}<ul>${items.join('')}</ul>\n`;
  const access = { config: { ignoresCredentials: true } };
  serveFile(app, { path: '/', type: mediaTypes.html, content }, contentPolicy("default-src 'none'"), access);
}

const head = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>svc-runtime</title>
<h1>The service is running</h1>
`;
