import type { FastifyInstance, FastifyRequest } from 'fastify';
import { decodeBody } from '../../contracts/codec.js';
import { writtenIn } from '../../contracts/number-source-text.js';
import { mustBeOfAllowedOrigin } from '../access/csrf-guard.js';
import { decodeGuarded } from '../decode-guard.js';
import type { CommandRoutePorts } from '../http/command-route.js';
import { mustBeJson } from '../http/read-json-body.js';
import type { RegisteredRoute } from '../own-route.js';
import type { OwnRoutes } from '../route-access.js';
import { nameOf } from './load-own-routes.js';

type DecodingPorts = Pick<CommandRoutePorts, 'guard' | 'callerOf'>;

/** The routes that the application adds itself, then the typed ones. */
export function withRegistered(
  own: OwnRoutes | undefined,
  registered: readonly RegisteredRoute[] = [],
  ports: DecodingPorts = {},
): OwnRoutes | undefined {
  if (registered.length === 0) return own;
  return async (app) => {
    await own?.(app);
    for (const one of registered) addRoute(app, one, ports);
  };
}

function addRoute(app: FastifyInstance, registered: RegisteredRoute, ports: DecodingPorts): void {
  const { route, encode } = registered;
  const { method, path: url, permission } = route;
  const config = permission === undefined ? {} : { permission };
  app.route({
    method,
    url,
    config,
    handler: async (http, reply) => {
      // A form of another site may send one without a body, which no preflight announces.
      if (method !== 'GET') mustBeOfAllowedOrigin(http, reply.getHeader('access-control-allow-origin'));
      const body = encode(await route.handle(requestIn(http, registered, ports), http));
      if (body === null) return reply.code(204).send();
      return reply.type('application/json; charset=utf-8').send(body);
    },
  });
}

/** One object of what is in the body, or in the query, and in the path. */
function requestIn(
  http: FastifyRequest,
  { route: { method, path: url }, decode, literals }: RegisteredRoute,
  { guard, callerOf }: DecodingPorts,
): unknown {
  if (decode === undefined) return undefined;
  // Plugins may parse other types: a form of another site must never become a request.
  if (http.body !== undefined) mustBeJson(http.headers);
  const inUrl = method === 'GET' || method === 'DELETE' ? (http.query as object) : {};
  const given = { ...inUrl, ...(http.params as object) };
  const named = Object.entries<unknown>(given).map(([name, text]) => [
    name,
    literals.includes(name) ? literalIn(text) : text,
  ]);
  const { body = {} } = http;
  const isObject = typeof body === 'object' && body !== null && !Array.isArray(body);
  const sent = isObject ? { ...body, ...Object.fromEntries(named) } : body;
  const writtenAt = writtenIn(http.rawBody?.toString('utf8') ?? '');
  return decodeGuarded(guard, nameOf({ method, url }), callerOf?.(http), () =>
    decodeBody(decode, sent, writtenAt),
  );
}

/** The decoder refuses any other text. */
const literalIn = (text: unknown): unknown =>
  typeof text === 'string' && /^(?:true|false|-?(?:0|[1-9]\d{0,15})(?:\.\d{1,15})?)$/.test(text)
    ? (JSON.parse(text) as unknown)
    : text;
