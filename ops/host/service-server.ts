import type { CommandRoutePorts } from '../../endpoints/http/command-route.js';
import { withRegistered } from '../../endpoints/own-routes/registered-routes.js';
import { createHttpServer, type HttpOptions, type HttpServer } from '../../endpoints/routes/http-server.js';
import { nameRevision } from '../../endpoints/security-headers.js';
import type { Registry, ServiceDefinition } from '../../endpoints/service-definition.js';
import type { Config } from '../config/config.js';
import { serviceSourceOf } from '../service/load-service.js';
import { declareSmokeTest, withSmokeTest } from './declared-smoke-test.js';
import { NatsNames } from '../../runtime/transport/nats-names.js';

/** The server of a service, with its own routes and its documents. */
export function serverOf(
  definition: ServiceDefinition,
  { endpoints, routes, openApi, asyncApi: messages, schema, tools, approvals }: Registry,
  ports: CommandRoutePorts,
  options: HttpOptions & Pick<Config, 'namespace' | 'jwt'>,
): HttpServer {
  const { smokeTest } = definition;
  const ownRoutes = withRegistered(definition.routes, routes, ports);
  const declared = smokeTest && declareSmokeTest(smokeTest, endpoints);
  const document = openApi && declared ? withSmokeTest(openApi, declared) : openApi;
  const asyncApi = messages && asyncApiIn(options.namespace, messages);
  const info = { name: definition.name, version: versionOf(definition) };
  const agents = tools === undefined ? undefined : { tools, info, issuer: options.jwt?.issuer, approvals };
  const own = { openApi: document, asyncApi, schema, agents, ownRoutes };
  return createHttpServer(endpoints, ports, { ...options, ...own });
}

/** Answers name the version that a service has of its own. */
export const nameRevisionOf = (definition: ServiceDefinition): void =>
  nameRevision(definition.version ?? serviceSourceOf(definition)?.version);

export const versionOf = (definition: ServiceDefinition): string =>
  definition.version ?? serviceSourceOf(definition)?.version ?? '0';

interface Channels {
  readonly channels?: Readonly<Record<string, object>>;
}

/** The document with the addresses of this host's namespace, whichever it was generated for. */
function asyncApiIn(namespace: string, document: string): string {
  const names = new NatsNames(namespace);
  const parsed = JSON.parse(document) as Channels;
  const addressed = Object.entries(parsed.channels ?? {}).map(([type, channel]) => [
    type,
    { ...channel, address: names.subjectOf(`svc.events.${type}`) },
  ]);
  return `${JSON.stringify({ ...parsed, channels: Object.fromEntries(addressed) }, undefined, 2)}\n`;
}
