import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../../contracts/problems.js';
import type { Uuid } from '../../contracts/scalars.js';
import { writtenIn } from '../../contracts/number-source-text.js';
import { type Authentication, guardHook, type RouteHook } from '../access/authentication.js';
import type { Access } from '../access/access.js';
import type { RateLimit } from '../access/rate-limit.js';
import { observerHooks, type PageHook } from '../access/page-hook.js';
import { withoutToken } from '../http/redact-url-credentials.js';
import { Cancellation } from '../../runtime/lang/cancellation.js';
import type { AnsweredRequest } from '../http/answered-request.js';
import type { CommandRoutePorts } from '../http/command-route.js';
import type { Connections } from '../http/connections.js';
import { type Correlation, tracedCorrelationOf } from '../http/correlation.js';
import { idempotencyKeyOf } from '../idempotency.js';
import { jsonRoute } from '../http/read-json-body.js';
import { sendProblem, logProblem } from '../http/reply.js';
import type { RequestDurations } from '../http/request-durations.js';
import { problemOf } from '../problem.js';
import type { RouteLimit, Shedding } from '../http/shedding.js';
import { lastEventIdOf } from '../live/live-query.js';
import type { EndpointRegistration } from '../registrations.js';
import { executableSchema } from './executable-schema.js';
import { executor, type Executor, type GraphQLAnswer } from './executor.js';
import { eventStream, graphqlResponse, html, json, preferred } from '../http/media-types.js';
import { MutationCall } from './mutation-call.js';
import { graphqlPage } from './page.js';
import type { SchemaReads } from './query-fields.js';
import type { PerspectiveWatches } from './perspective-watches.js';
import { type Parameters, parametersOfBody, parametersOfUrl } from './request-parameters.js';
import { onlyResult } from './subscription.js';

interface GraphQLOptions {
  /** The schema's SDL; empty for a service with neither mutations nor queries. */
  readonly schema: string;
  readonly endpoints: readonly EndpointRegistration[];
  readonly queries?: readonly SchemaReads[];
  /** Unset: nothing is watched. */
  readonly subscriptions?: readonly PerspectiveWatches[] | undefined;
  readonly ports: CommandRoutePorts;
  readonly connections: Connections;
  readonly shedding: Shedding;
  readonly times: RequestDurations;
  readonly bodyLimit: number;
  readonly runsEveryHook: boolean;
  /** Introspection, suggestions and the GraphQL page are for developers. */
  readonly development: boolean;
  readonly authentication?: Authentication | undefined;
  readonly access?: Access | undefined;
  readonly rateLimit?: RateLimit | undefined;
}

const url = '/graphql';

/** GraphQL over HTTP: the endpoints' mutations, the perspectives' queries and subscriptions at /graphql. */
export function graphqlRoutes(app: FastifyInstance, options: GraphQLOptions): void {
  if (options.schema === '') return;
  const { schema, endpoints, queries, subscriptions, development, shedding } = options;
  const routeLimit = shedding.routeLimit();
  const executable = executableSchema(schema, endpoints, queries, subscriptions);
  const answer = answering(executor(executable, development), options, routeLimit);
  const page = development ? graphqlPage() : undefined;
  const guards = guardsOf(options);
  const { bodyLimit, runsEveryHook } = options;
  jsonRoute(app, url, {
    onRequest: [shedding.guard(routeLimit), ...guards],
    bodyLimit,
    runsEveryHook,
    handle: (request, reply, body, text) =>
      answer(request, reply, { parameters: () => parametersOfBody(body), text, mayMutate: true }),
  });
  const asksForPage = ({ headers }: FastifyRequest): boolean =>
    page !== undefined && preferred(headers, [json, graphqlResponse, html]) === html;
  const onRequest = choosing(asksForPage, observerHooks(options.access, 'graphql')[0], guards[0]);
  app.get(url, { onRequest }, (request, reply) => {
    if (page !== undefined && asksForPage(request)) reply.headers(page.headers).send(page.text);
    else void answer(request, reply, { parameters: () => parametersOfUrl(request.query), mayMutate: false });
  });
}

/** The page is guarded as a page, the documents that it sends are not. */
const choosing =
  (asksForPage: (request: FastifyRequest) => boolean, ofPage?: PageHook, ofDocuments?: RouteHook): PageHook =>
  (request, reply, done) => {
    const guard = asksForPage(request) ? (ofPage ?? ofDocuments) : ofDocuments;
    if (guard === undefined) done();
    else guard(request, reply, done);
  };

/** Every field has its own guard; a caller without an identity gets this far only if one of them is public. */
function guardsOf({ authentication, endpoints, queries = [] }: GraphQLOptions): readonly RouteHook[] {
  if (authentication === undefined) return [];
  const fields = [...endpoints.filter(({ graphQLMutation }) => graphQLMutation !== null), ...queries];
  const isOpen = fields.some(({ permission }) => permission === 'public');
  return [guardHook(authentication, isOpen ? 'public' : 'authenticated', { type: 'GraphQL' })];
}

interface GraphQLRequest {
  readonly parameters: () => Parameters;
  /** The body that contains the parameters. */
  readonly text?: string;
  readonly mayMutate: boolean;
}

function answering(run: Executor, options: GraphQLOptions, routeLimit: RouteLimit) {
  const { ports, connections, times, rateLimit } = options;
  return async (
    request: FastifyRequest,
    reply: FastifyReply,
    { parameters, text = '', mayMutate }: GraphQLRequest,
  ): Promise<void> => {
    const correlation = tracedCorrelationOf(request);
    const cancellation = new Cancellation();
    cancellation.after(ports.deadlineMs);
    const { socket } = request.raw;
    const requests = connections.entered(socket, cancellation);
    const ready = () =>
      connections.isLastAnswer(requests, cancellation) ? reply.header('connection', 'close') : reply;
    const enteredAt = routeLimit.enter();
    let worked = false;
    try {
      const type = preferred(request.headers, [json, graphqlResponse, eventStream]);
      if (type === undefined) throw notAcceptable();
      const call = callOf(request, ports, {
        correlation,
        cancellation,
        text,
        limit: rateLimit && (() => rateLimit.furtherRefusalOf(request, reply, request.identity)),
      });
      const answer = await run(parameters(), call, { mutate: mayMutate, stream: type === eventStream });
      if ('source' in answer) {
        const { source, format } = answer;
        mustBeShort(text);
        source.watches.open({ request, reply, correlation, connections }, source.asked, format);
        return times.answersWithStream(request.method, url, reply);
      }
      worked = call.hasWorked && answer.problems.length === 0;
      for (const problem of answer.problems) logProblem(request, correlation, problem);
      const [refusal] = answer.problems;
      if (refusal !== undefined && call.fields === 0)
        observeAnswer(request, correlation, { problem: refusal, status: refusal.status });
      if (call.modelStates !== undefined) reply.header('svc-model', call.modelStates);
      if (call.isReplayed) reply.header('idempotency-replayed', 'true');
      sendGraphQL(ready(), correlation, type, { body: answer.body, status: statusOf(answer, call) });
    } catch (error) {
      sendProblem(request, ready(), correlation, error);
    } finally {
      cancellation.end();
      connections.left(requests, cancellation);
      routeLimit.leave(enteredAt, worked);
      correlation.span?.answered(reply.raw.statusCode);
    }
  };
}

/** A subscription keeps its request as long as it is open. */
const longestSubscription = 32_768;

function mustBeShort(text: string): void {
  if (text.length <= longestSubscription) return;
  throw new Problem('body-too-large', {
    detail: `A subscription with its variables has at most ${longestSubscription} characters.`,
  });
}

const callOf = (
  request: FastifyRequest,
  ports: CommandRoutePorts,
  given: {
    readonly correlation: Correlation;
    readonly cancellation: Cancellation;
    readonly text: string;
    readonly limit: (() => Problem | undefined) | undefined;
  },
): MutationCall =>
  new MutationCall(ports, {
    correlation: given.correlation,
    cancellation: given.cancellation,
    caller: ports.callerOf?.(request),
    key: idempotencyKeyOf(request.headers),
    instance: withoutToken(request.url),
    lastEventId: lastEventIdOf(request.headers),
    writtenAt: writtenIn(given.text),
    limit: given.limit,
    unstarted: observeFields(request, given.correlation),
  });

/** Each field is a request of its own. */
const observeFields =
  (request: FastifyRequest, { correlationId, traceparent }: Correlation) =>
  (field: string, messageId: Uuid, error?: unknown): void => {
    const problem = error === undefined ? undefined : problemOf(error);
    const correlation = { messageId, correlationId, traceparent };
    observeAnswer(request, correlation, { field, problem, status: problem?.status ?? 200 });
  };

const observeAnswer = (
  request: FastifyRequest,
  correlation: AnsweredRequest['correlation'],
  answer: Pick<AnsweredRequest, 'field' | 'problem' | 'status'>,
): void => request.server.observer?.left({ request, correlation, seconds: 0, isRecorded: false, ...answer });

function sendGraphQL(
  reply: FastifyReply,
  { correlationId, traceparent }: Correlation,
  type: typeof json | typeof graphqlResponse | typeof eventStream,
  { body, status }: { readonly body: string; readonly status: number },
): void {
  reply.header('x-correlation-id', correlationId);
  reply.header('traceparent', traceparent);
  reply.header('cache-control', 'no-store');
  reply.header('content-type', `${type}; charset=utf-8`);
  if (status === 401) reply.header('www-authenticate', 'Bearer');
  // With application/json, only the status 200 distinguishes our answer from a proxy's.
  reply.code(type === graphqlResponse ? status : 200).send(type === eventStream ? onlyResult(body) : body);
}

/** A request of which every field was refused has failed as a whole. */
function statusOf({ isRefused, isVoid, problems }: GraphQLAnswer, { fields }: MutationCall): number {
  if (isRefused) return 400;
  const denied = problems.filter(({ status }) => status === 401 || status === 403);
  // Without data, the errors of further fields are not reported.
  const failed = isVoid === true ? problems.length : Math.max(fields, problems.length);
  if (denied.length === 0 || denied.length < failed) return 200;
  return denied.some(({ status }) => status === 403) ? 403 : 401;
}

const notAcceptable = (): Problem =>
  new Problem('not-acceptable', { detail: `Accept ${graphqlResponse}, ${json} or ${eventStream}.` });
