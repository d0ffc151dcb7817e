import type { IncomingHttpHeaders } from 'node:http';
import { closedAccess, observerRefusalOf, operatorIn } from '../../endpoints/access/access.js';
import { duplicateHeaderIn } from '../../endpoints/access/header-refusal.js';
import { nonLocalRefusalOf } from '../../endpoints/access/local-requests.js';
import { sessionIn } from '../../endpoints/access/session-cookie.js';
import { TrustedProxies } from '../../endpoints/access/trusted-proxies.js';
import { Tokens } from '../../endpoints/access/tokens.js';
import { apiKeyAuthenticator } from '../../endpoints/access/api-key.js';
import { jwtAuthenticator } from '../../endpoints/access/jwt/jwt.js';
import { textParameter } from '../../endpoints/access/query-parameters.js';
import { mustBeKnownParameters, timeIn, wholeNumberIn } from '../console/server/query-parameters.js';
import { mustBeSameOrigin, mustComeFromPage, mustSendJson } from '../../endpoints/access/csrf-guard.js';
import { graphqlResponse, html, json, preferred } from '../../endpoints/http/media-types.js';
import { headersAskedIn } from '../../endpoints/http/cors.js';
import { mustBeJson } from '../../endpoints/http/read-json-body.js';
import { correlationIn } from '../../endpoints/http/correlation.js';
import { isKnown } from '../../endpoints/http/static-file.js';
import { idempotencyKeyOf } from '../../endpoints/idempotency.js';
import { AllowedMethods } from '../../endpoints/http/allowed-methods.js';
import { waitOf } from '../../endpoints/http/prefer-wait.js';
import { liveQueryOf } from '../../endpoints/live/live-query.js';
import { statesNamedIn } from '../../endpoints/processes/process-reads.js';
import { queryIn } from '../../endpoints/queries/parse-query.js';
import { deliveryHeadersIn } from '../../endpoints/webhooks/delivery-headers.js';
import { carriedTraceState } from '../../runtime/tracing/trace-state.js';
import { RowCursors } from '../../runtime/perspectives/reads/row-cursor.js';
import { sortKeysOf } from '../../runtime/perspectives/reads/row-segments.js';
import { KnownApiKeys } from '../../runtime/access/known-api-keys.js';
import { documentParserCases } from './document-parser-cases.js';
import { clientParserCases } from './client-parser-cases.js';
import { agentParserCases } from './agent-parser-cases.js';
import { bodyParserCases } from './body-parser-cases.js';
import { kubernetesParserCases } from './kubernetes-parser-cases.js';
import { run, textShapes } from './hostile-shapes.js';
import type { UntrustedParser } from './untrusted-parser.js';

/** Node.js accepts no more for all headers and the URL together. */
export const mostOfHead = 16_384;

const header = (
  name: string,
  source: string,
  read: (headers: IncomingHttpHeaders) => unknown,
  ...starts: readonly string[]
): UntrustedParser => ({
  name,
  in: source,
  limit: mostOfHead,
  shapes: [...textShapes(...starts), ...starts.map((end) => run('*/*,', '', end))],
  read: (text) => read({ [name]: text }),
});

const columns = [
  { name: 'status', type: 'text' },
  { name: 'customerId', type: 'uuid' },
  { name: 'total', type: 'numeric' },
  { name: 'items', type: 'bigint' },
  { name: 'paid', type: 'boolean' },
  { name: 'placedAt', type: 'timestamptz' },
] as const;

const cursors = new RowCursors('orders', sortKeysOf({ sort: [], newestFirst: false }), []);

const allowed = new AllowedMethods();
allowed.note('/machines/:id', ['GET']);
allowed.note('/orders/:id/:line/items', ['GET']);

const offers = [json, graphqlResponse, html] as const;
const refusingAll = offers.map((offer) => `${offer};q=0`).join();
const chosen = (headers: IncomingHttpHeaders): unknown => preferred(headers, offers);
const visited = (headers: IncomingHttpHeaders): unknown =>
  observerRefusalOf({ remoteAddress: '127.0.0.1', headers: { host: 'a', ...headers } }, closedAccess);
const operated = (headers: IncomingHttpHeaders): unknown =>
  operatorIn({ headers }, { tokens: new Tokens({ operator: 'a-token' }), localOnly: true });
const byJwt = jwtAuthenticator({ key: { secret: 'a secret of thirty-two bytes, no less' } });
const jwt = (headers: IncomingHttpHeaders): unknown =>
  byJwt({ method: 'POST', url: '/', headers, remoteAddress: '::1' });
const byApiKey = apiKeyAuthenticator(
  new KnownApiKeys(
    async () => [],
    () => -Infinity,
  ),
);
const apiKey = (headers: IncomingHttpHeaders): unknown =>
  byApiKey({ method: 'POST', url: '/', headers, remoteAddress: '::1' });
const noForm = (headers: IncomingHttpHeaders): unknown => mustSendJson({ headers });
const ourPage = (headers: IncomingHttpHeaders): unknown => mustBeSameOrigin({ headers });
const signedIn = (headers: IncomingHttpHeaders): unknown => mustComeFromPage('GET', { headers });
const proxies = new TrustedProxies(['127.0.0.1', '10.0.0.0/8']);
const socket = { remoteAddress: '127.0.0.1' };
const clientOf = (headers: IncomingHttpHeaders): unknown => proxies.addressOf({ headers, socket });
const encrypted = (headers: IncomingHttpHeaders): unknown => proxies.isEncrypted({ headers, socket });
const known = (headers: IncomingHttpHeaders): unknown => isKnown(headers, '"a"');

const delivered = (headers: IncomingHttpHeaders): unknown =>
  deliveryHeadersIn({ 'webhook-id': 'a', 'webhook-timestamp': '1', ...headers });
const resumed = (headers: IncomingHttpHeaders): unknown => liveQueryOf('/orders/live', headers, columns);

const type = 'application/json';
const origins = ['http://', 'http://xn--', 'http://a@', 'http://127.0.0.'];

/** Parsers of whole documents; all others read a part of a request. */
export const documentParsers: readonly UntrustedParser[] = [...documentParserCases, ...clientParserCases];

/**
 * Every parser of untrusted input, one line each. One test verifies that they are linear, another that there are no
 * others.
 */
export const untrustedParsers: readonly UntrustedParser[] = [
  ...agentParserCases,
  header('prefer', 'endpoints/http/prefer-wait.ts', waitOf, 'wait=', 'wait = "', 'a, wait='),
  header('accept', 'endpoints/http/media-types.ts', chosen, `${type};`, `${refusingAll},`),
  header('idempotency-key', 'endpoints/idempotency.ts', idempotencyKeyOf),
  header('x-correlation-id', 'endpoints/http/correlation.ts', correlationIn),
  header('traceparent', 'endpoints/http/correlation.ts', correlationIn, '00-', `00-${'0'.repeat(32)}-`),
  header('last-event-id', 'endpoints/live/live-query.ts', resumed, '1.', '1.1, '),
  {
    name: 'tracestate',
    in: 'endpoints/http/correlation.ts',
    limit: mostOfHead,
    shapes: textShapes('foo=', 'foo=1,', 'foo=1 \t,'),
    read: carriedTraceState,
  },
  header('if-none-match', 'endpoints/http/static-file.ts', known, 'W/"', '"a'),
  header(
    'content-type',
    'endpoints/http/read-json-body.ts',
    mustBeJson,
    type,
    `${type};`,
    `${type}; charset="`,
  ),
  header('content-type', 'endpoints/access/csrf-guard.ts', noForm, type),
  header('origin', 'endpoints/access/csrf-guard.ts', ourPage, ...origins),
  header('origin', 'endpoints/access/access.ts', visited, ...origins),
  header('authorization', 'endpoints/access/credentials.ts', operated, 'Bearer ', 'bearer'),
  header('cookie', 'endpoints/access/session-cookie.ts', sessionIn, 'svc-session=', 'a=b; svc-session=%'),
  header('x-forwarded-for', 'endpoints/access/trusted-proxies.ts', clientOf, '1.1.1.1, ', '[', '::'),
  header('forwarded', 'endpoints/access/trusted-proxies.ts', clientOf, 'for=', 'for="[', 'for=1.1.1.1, '),
  header('x-forwarded-proto', 'endpoints/access/trusted-proxies.ts', encrypted, 'https', 'https,'),
  header('origin', 'endpoints/access/csrf-guard.ts', signedIn, ...origins),
  header(
    'authorization',
    'endpoints/access/jwt/jwt.ts',
    jwt,
    'Bearer ',
    'Bearer eyJhbGciOiJIUzI1NiJ9.',
    'Bearer a.',
  ),
  header('authorization', 'endpoints/access/api-key.ts', apiKey, 'Bearer svc_', 'Bearer svc_1a2b3c4d_'),
  header('x-api-key', 'endpoints/access/api-key.ts', apiKey, 'svc_', 'svc_1a2b3c4d_'),
  header(
    'host',
    'endpoints/access/local-requests.ts',
    nonLocalRefusalOf,
    'localhost:',
    'a.localhost',
    '127.0.0.',
    '[::',
  ),
  header('access-control-request-headers', 'endpoints/http/cors.ts', headersAskedIn, 'a,', 'a ,'),
  header('webhook-id', 'endpoints/webhooks/delivery-headers.ts', delivered, 'msg_'),
  header('webhook-signature', 'endpoints/webhooks/delivery-headers.ts', delivered, 'v1,', 'v1,a v1,'),
  {
    name: 'names of headers',
    in: 'endpoints/access/header-refusal.ts',
    limit: mostOfHead,
    shapes: [...textShapes('Host', 'host:'), run('Host::', '', ''), run('Authorization::', '', '')],
    read: (text) => duplicateHeaderIn({ rawHeaders: text.split(':') }),
  },
  {
    name: 'the query of a perspective',
    in: 'endpoints/queries/parse-query.ts',
    limit: mostOfHead,
    shapes: textShapes(
      'sort=',
      'sort=-',
      'page=',
      'filter[',
      'filter[status]=',
      'filter[total]=',
      'filter[placedAt]=2026-',
      'filter[items]=',
      'filter[customerId]=',
      'filter[total][gte]=',
      'filter[status][in]=,',
      'filter[status][contains]=%25',
    ),
    read: (text) => queryIn(`/orders?${text}`, columns),
  },
  {
    name: 'the states that a caller waits for',
    in: 'endpoints/processes/process-reads.ts',
    limit: mostOfHead,
    shapes: textShapes('until=', 'until=paid,', 'until=%2C'),
    read: (text) => statesNamedIn(`/fulfilments/1?${text}`),
  },
  {
    name: 'the cursor of a page',
    in: 'runtime/perspectives/reads/row-cursor.ts',
    limit: mostOfHead,
    shapes: textShapes('WzEs'),
    read: (text) => cursors.decode(text),
  },
  {
    name: 'the path of a request',
    in: 'endpoints/http/allowed-methods.ts',
    limit: mostOfHead,
    shapes: textShapes('machines/', 'orders/a/b/'),
    read: (text) => allowed.refusalOf(`/${text}`),
  },
  {
    name: 'a parameter of the console',
    in: 'endpoints/access/query-parameters.ts',
    limit: mostOfHead,
    shapes: textShapes('1'),
    read: (text) => textParameter({ search: text }, 'search'),
  },
  {
    name: 'a number for the console',
    in: 'ops/console/server/query-parameters.ts',
    limit: mostOfHead,
    shapes: textShapes('1'),
    read: (text) => wholeNumberIn({ limit: text }, 'limit', 200),
  },
  {
    name: 'a time for the console',
    in: 'ops/console/server/query-parameters.ts',
    limit: mostOfHead,
    shapes: textShapes('2026-01-31T10:30'),
    read: (text) => timeIn({ since: text }, 'since'),
  },
  {
    name: 'the name of a parameter of the console',
    in: 'ops/console/server/query-parameters.ts',
    limit: mostOfHead,
    shapes: textShapes(),
    read: (text) => mustBeKnownParameters({ [text]: text }),
  },
  ...bodyParserCases,
  ...kubernetesParserCases,
  ...documentParsers,
];
