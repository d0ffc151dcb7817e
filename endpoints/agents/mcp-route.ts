import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { writtenIn } from '../../contracts/number-source-text.js';
import { Cancellation } from '../../runtime/lang/cancellation.js';
import type { Access } from '../access/access.js';
import { type Authentication, guardHook, type RouteHook } from '../access/authentication.js';
import { mustBeOfAllowedOrigin } from '../access/csrf-guard.js';
import type { CommandRoutePorts } from '../http/command-route.js';
import type { Connections } from '../http/connections.js';
import { type Correlation, correlationOf, tracedCorrelationOf } from '../http/correlation.js';
import { jsonRoute } from '../http/read-json-body.js';
import { logProblem, sendProblem } from '../http/reply.js';
import type { RouteLimit, Shedding } from '../http/shedding.js';
import { problemOf } from '../problem.js';
import { PerspectiveReads } from '../graphql/perspective-reads.js';
import type { SchemaReads } from '../graphql/query-fields.js';
import type { ApprovalPort, EndpointRegistration } from '../registrations.js';
import { newUuid } from '../../contracts/uuid.js';
import { refusal, type ToolAnswer } from './agent-answer.js';
import { type AgentTool, AgentTools } from './agent-tools.js';
import { readOutcome, readRows, sendCommand, type ToolCall, toolRefusalOf } from './call-tool.js';
import { answerTo, type McpAnswer, type ServerInfo } from './mcp-answer.js';
import { namesMetadata, protectedResourceRoutes } from './protected-resource.js';
import { messageIn } from './rpc-message.js';

/** The tools of a service, and its name for agents. */
export interface AgentOptions {
  /** The text of `generated/tools.json`. */
  readonly tools: string;
  readonly info: ServerInfo;
  /** Who issues the tokens that the service takes. */
  readonly issuer?: string | undefined;
  /** Set when a command declares an approval. */
  readonly approvals?: ApprovalPort | undefined;
}

interface McpOptions {
  /** Unset: no class says `agent`, and there is no route. */
  readonly agents?: AgentOptions | undefined;
  readonly endpoints: readonly EndpointRegistration[];
  readonly queries?: readonly SchemaReads[];
  readonly ports: CommandRoutePorts;
  readonly connections: Connections;
  readonly shedding: Shedding;
  readonly bodyLimit: number;
  readonly runsEveryHook: boolean;
  readonly authentication?: Authentication | undefined;
  readonly access?: Access | undefined;
}

const url = '/mcp';

/** A page of another site may make a browser take its name for that of this host; its origin stays. */
const fromNoForeignPage: RouteHook = (request, reply, done) => {
  try {
    mustBeOfAllowedOrigin(request, reply.getHeader('access-control-allow-origin'));
    done();
  } catch (error) {
    reply.header('connection', 'close');
    sendProblem(request, reply, correlationOf(request), error);
  }
};

/** The tools of agents at `POST /mcp`: the Model Context Protocol without sessions and streams. */
export function mcpRoute(app: FastifyInstance, options: McpOptions): void {
  const { agents, endpoints, queries = [], authentication, shedding, bodyLimit, runsEveryHook } = options;
  if (agents === undefined) return;
  const reads = queries.filter((one) => one instanceof PerspectiveReads);
  const resource = { issuer: agents.issuer, proxies: options.access?.proxies };
  protectedResourceRoutes(app, resource);
  const tools = new AgentTools(agents.tools, { endpoints, reads, approvals: agents.approvals });
  const routeLimit = shedding.routeLimit();
  const guards =
    authentication === undefined ? [] : [guardHook(authentication, 'authenticated', { type: 'MCP' })];
  const answer = answering(tools, agents, options, routeLimit);
  jsonRoute(app, url, {
    onRequest: [fromNoForeignPage, shedding.guard(routeLimit, true), ...guards],
    onSend: namesMetadata(resource),
    config: { isForAgents: true },
    bodyLimit,
    runsEveryHook,
    handle: (request, reply, body, text) => answer(request, reply, body, text),
  });
}

function answering(
  tools: AgentTools,
  { info }: AgentOptions,
  { ports, connections }: McpOptions,
  routeLimit: RouteLimit,
) {
  return async (request: FastifyRequest, reply: FastifyReply, body: unknown, text: string): Promise<void> => {
    const correlation = tracedCorrelationOf(request);
    const cancellation = new Cancellation();
    cancellation.after(ports.deadlineMs);
    const requests = connections.entered(request.raw.socket, cancellation);
    const enteredAt = routeLimit.enter();
    const caller = ports.callerOf?.(request);
    const writtenAt = argumentsWrittenIn(text);
    let worked = false;
    try {
      const answer = await answerTo(messageIn(body, headersOf(request)), info, {
        list: () => tools.visibleTo(caller),
        call: async (name, args, client) => {
          const tool = tools.find(name);
          if (tool === undefined) return undefined;
          const own = { ...correlation, messageId: newUuid() };
          const unstarted = observing(request, own, tool.resource);
          const call = { caller, correlation: own, cancellation, client, args, writtenAt, unstarted };
          const answered = await answerOf(tool, call, ports, request);
          worked = answered !== undefined && answered.status !== 'refused' && answered.repeated !== true;
          return answered;
        },
      });
      if (connections.isLastAnswer(requests, cancellation)) reply.header('connection', 'close');
      sendAnswer(reply, correlation, answer);
    } catch (error) {
      if (connections.isLastAnswer(requests, cancellation)) reply.header('connection', 'close');
      sendProblem(request, reply, correlation, error);
    } finally {
      cancellation.end();
      connections.left(requests, cancellation);
      routeLimit.leave(enteredAt, worked);
      correlation.span?.answered(reply.raw.statusCode);
    }
  };
}

/** Each call is a request of its own. */
const observing =
  (request: FastifyRequest, correlation: Correlation, field: string) =>
  (error?: unknown): void => {
    const problem = error === undefined ? undefined : problemOf(error);
    const status = problem?.status ?? 200;
    const answer = { request, correlation, field, status, seconds: 0, isRecorded: false };
    request.server.observer?.left({ ...answer, problem });
  };

/** A refusal is an answer that the agent can act on. */
async function answerOf(
  tool: AgentTool,
  call: ToolCall,
  ports: CommandRoutePorts,
  request: FastifyRequest,
): Promise<ToolAnswer | undefined> {
  if (toolRefusalOf(tool, call) !== undefined) return undefined;
  try {
    if (tool.does === 'command') return await sendCommand(ports, tool, call);
    return await (tool.does === 'outcome' ? readOutcome(tool, call) : readRows(tool, call));
  } catch (error) {
    logProblem(request, call.correlation, problemOf(error));
    if (tool.does !== 'command') call.unstarted(error);
    return refusal(error);
  }
}

const headersOf = ({ headers }: FastifyRequest) => ({
  version: headerIn(headers['mcp-protocol-version']),
  method: headerIn(headers['mcp-method']),
  name: headerIn(headers['mcp-name']),
  session: headerIn(headers['mcp-session-id']),
});

const headerIn = (value: string | string[] | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined;

const argumentsWrittenIn = (text: string) => {
  const writtenAt = writtenIn(text);
  return (path: string) => writtenAt(`/params/arguments${path}`);
};

function sendAnswer(
  reply: FastifyReply,
  { correlationId, traceparent }: Correlation,
  { status, body, session }: McpAnswer,
): void {
  reply.header('x-correlation-id', correlationId);
  reply.header('traceparent', traceparent);
  reply.header('cache-control', 'no-store');
  if (session !== undefined) reply.header('mcp-session-id', session);
  if (body === undefined) return void reply.code(status).send();
  reply.code(status).type('application/json; charset=utf-8').send(JSON.stringify(body));
}
