import type { FastifyInstance } from 'fastify';
import type { Access } from '../access/access.js';
import { isGuarded } from '../access/page-hook.js';
import { inlineStyle, mediaTypes, serveFile } from '../http/static-file.js';
import type { ReadRoute } from '../queries/read-routes.js';
import type { EndpointRegistration } from '../registrations.js';
import { landingContent, type Offer, type PageLink } from './landing-content.js';

const links: readonly PageLink[] = [
  { path: '/console', name: 'Console', about: 'requests, perspectives, audit, hosts' },
  { path: '/docs', name: 'API', about: 'every operation, with a form to try it' },
  { path: '/graphql', name: 'GraphQL', about: 'the schema, with a form to try it' },
  { path: '/inspect', name: 'Inspector', about: 'every machine with its live state' },
  { path: '/machines', name: 'Machines', about: 'every statechart, as XState JSON' },
  { path: '/health', name: 'Health', about: 'every check, for load balancers' },
  { path: '/metrics', name: 'Metrics', about: 'for Prometheus' },
  { path: '/openapi.json', name: 'openapi.json', about: 'the contract of the HTTP interface' },
  { path: '/asyncapi.json', name: 'asyncapi.json', about: 'the contract of the messages' },
];

interface LandingOptions {
  readonly endpoints: readonly EndpointRegistration[];
  readonly reads?: readonly ReadRoute[];
  readonly openApi?: string | undefined;
  readonly access?: Access | undefined;
}

/** `GET /`, unless the application has it: links to what else there is. Added last, when all routes are known. */
export function landingRoute(app: FastifyInstance, options: LandingOptions): void {
  const exists = (url: string): boolean => app.hasRoute({ method: 'GET', url });
  if (exists('/')) return;
  const { html, policy } = inlineStyle(new URL('./landing/', import.meta.url));
  const shown = links.filter(({ path }) => exists(path));
  // What a guarded host can do is in the pages behind its sign-in.
  const isOpen = options.access === undefined || !isGuarded(options.access);
  const inside = landingContent(
    titleIn(options.openApi),
    shown,
    isOpen ? offerOf(options, exists) : undefined,
  );
  const content = html.replace('<main>', () => `<main>${inside}`);
  const access = { config: { ignoresCredentials: true } };
  serveFile(app, { path: '/', type: mediaTypes.html, content }, policy, access);
}

const offerOf = ({ endpoints, reads = [] }: LandingOptions, exists: (url: string) => boolean): Offer => ({
  commands: endpoints.map(({ command: { name }, restRoute, graphQLMutation }) => ({
    name,
    restRoute,
    graphQLMutation,
  })),
  perspectives: reads.map(({ path }) => ({ path, isLive: exists(`${path}/live`) })),
});

/** The name of the service. */
function titleIn(openApi: string | undefined): string {
  const { info } = JSON.parse(openApi ?? '{}') as { readonly info?: { readonly title?: string } };
  return info?.title ?? 'svc-runtime';
}
