import { type OutgoingHttpHeaders, ServerResponse, validateHeaderName, validateHeaderValue } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../../contracts/problems.js';
import { log } from '../../runtime/logging/log.js';
import { withoutToken } from './redact-url-credentials.js';
import type { Answer } from '../idempotency.js';
import { loggedProblem, problemBody, problemHeaders, problemOf, problemType } from '../problem.js';
import type { AnsweredRequest } from './answered-request.js';
import type { Correlation } from './correlation.js';
import { securityHeaders } from '../security-headers.js';

const jsonType = 'application/json; charset=utf-8';

export interface SentAnswer extends Answer {
  readonly applied?: string;
  readonly model?: string;
  /** Where the processes are found that the command has started. */
  link?: string | undefined;
}

export type SendAnswer = (reply: FastifyReply, correlation: Correlation, answer: SentAnswer) => void;

export function sendAnswer(reply: FastifyReply, correlation: Correlation, answer: SentAnswer): void {
  const { body } = answer;
  const length = body === null ? 0 : Buffer.byteLength(body);
  const isPlain = isOrdinary(answer) && !hasHeaders(reply);
  // The headers are complete and the body is text: the framework has nothing left to do.
  reply.hijack();
  if (!isPlain || !writeOrdinaryHead(reply.raw, correlation, { length, link: answer.link })) {
    const added = reply.getHeaders() as OutgoingHttpHeaders;
    const head = { ...securityHeaders, ...added, ...headOf(correlation, answer) };
    reply.raw.writeHead(answer.status, body === null ? head : { ...head, 'content-length': length });
  }
  // Text with as many bytes as characters is ASCII, which needs no encoding.
  if (body !== null) sendWhole(reply.raw, body, length === body.length ? 'latin1' : 'utf8');
  reply.raw.end();
}

/** An answer without headers of its own. */
const isOrdinary = ({ status, body, replayed, applied, model }: SentAnswer): boolean =>
  status === 200 && body !== null && !replayed && applied === undefined && model === undefined;

/** Where the framework keeps the headers of a reply; `getHeaders` copies them, also where there are none. */
let headersAt: symbol | undefined;

/** Whether a hook has added a header. */
function hasHeaders(reply: FastifyReply): boolean {
  headersAt ??= Object.getOwnPropertySymbols(reply).find(
    ({ description }) => description === 'fastify.reply.headers',
  );
  const kept = (headersAt && (Reflect.get(reply, headersAt) as object)) ?? reply.getHeaders();
  return Object.keys(kept).length > 0 || reply.raw.getHeaderNames().length > 0;
}

/** How long a connection may be silent between two requests. */
export const keepAliveMs = 72_000;

/** Where Node keeps the text of a head until the body is sent. */
interface Headed extends ServerResponse {
  _header?: string | null;
}

/** The headers that are the same in every ordinary answer, made again when the process has named its revision. */
let fixed = '';
let fixedFor = '';

function fixedHead(): string {
  const revision = securityHeaders['svc-revision'];
  if (revision === fixedFor) return fixed;
  fixedFor = revision;
  fixed = Object.entries({ ...securityHeaders, 'content-type': jsonType })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('');
  return fixed;
}

const keepAlive = `Connection: keep-alive\r\nKeep-Alive: timeout=${keepAliveMs / 1000}\r\n`;

let ending = '';
let from = Infinity;

/** The last lines of a head, which are the same for a second. */
function endingAt(now: number): string {
  // The clock may also be set back.
  if (now < from || now >= from + 1_000) {
    ending = `\r\nDate: ${new Date(now).toUTCString()}\r\n${keepAlive}\r\n`;
    from = now - (now % 1_000);
  }
  return ending;
}

const nodesWriteHead: unknown = Reflect.get(ServerResponse.prototype, 'writeHead');

/**
 * Writes the head of a 200 as one text: Node would check each name and value with a regular expression, and these are
 * constants, or ids that were checked when they came. Returns false where Node must decide: the connection closes after
 * this answer, other code has replaced `writeHead`, or this version of Node keeps heads elsewhere.
 */
export function writeOrdinaryHead(
  response: Headed,
  { correlationId, traceparent }: Pick<Correlation, 'correlationId' | 'traceparent'>,
  { length, link }: { readonly length: number; readonly link?: string | undefined },
  now: number = Date.now(),
): boolean {
  const { shouldKeepAlive, _header: written }: Headed = response;
  if (!shouldKeepAlive || written !== null || Reflect.get(response, 'writeHead') !== nodesWriteHead)
    return false;
  response.statusCode = 200;
  const links = link === undefined ? '' : `link: ${link}\r\n`;
  const head = `HTTP/1.1 200 OK\r\nx-correlation-id: ${correlationId}\r\ntraceparent: ${traceparent}\r\n${links}${fixedHead()}content-length: ${length}${endingAt(now)}`;
  Object.assign(response, { _header: head });
  return true;
}

/** As above, through the framework, whose hooks may add headers or change the body. */
export function sendAnswerThroughHooks(
  reply: FastifyReply,
  correlation: Correlation,
  answer: SentAnswer,
): void {
  reply.headers(headOf(correlation, answer));
  reply.code(answer.status).send(answer.body ?? undefined);
}

/** The headers that an answer has on both ways. */
const headOf = (
  { correlationId, traceparent }: Correlation,
  { status, body, replayed, applied, model, link }: SentAnswer,
) => ({
  'x-correlation-id': correlationId,
  traceparent,
  ...(replayed && { 'idempotency-replayed': 'true' }),
  ...(link !== undefined && { link }),
  ...(applied !== undefined && { 'preference-applied': applied }),
  ...(model !== undefined && { 'svc-model': model }),
  ...(body !== null && { 'content-type': status >= 400 ? problemType : jsonType }),
});

/**
 * Passed to `end`, a body is sent as two chunks, the second empty, over a slower path. A socket that is corked already
 * is not corked until the next tick. A pipelined answer has none yet.
 */
function sendWhole(response: ServerResponse, body: string, encoding: BufferEncoding): void {
  const { socket } = response;
  socket?.cork();
  response.write(body, encoding);
  socket?.uncork();
}

/** Answers every error, as a problem; what a client may not see goes to the log. */
export function sendProblem(
  request: FastifyRequest,
  reply: FastifyReply,
  correlation: Correlation,
  error: unknown,
  { isRecorded = false, seconds = 0 }: Partial<Pick<AnsweredRequest, 'isRecorded' | 'seconds'>> = {},
): void {
  const { problem, headers, body } = encodable(problemOf(error), withoutToken(request.url), correlation);
  logProblem(request, correlation, problem);
  const { status } = problem;
  request.server.observer?.left({ request, correlation, status, seconds, problem, isRecorded });
  reply.header('x-correlation-id', correlation.correlationId);
  reply.header('traceparent', correlation.traceparent);
  reply.headers(headers);
  reply.code(status).send(body);
}

/** A handler's problem may have members without JSON or an invalid header; that is then the error. */
function encodable(problem: Problem, url: string, { correlationId }: Correlation) {
  try {
    const headers = problemHeaders(problem);
    for (const [name, value] of Object.entries(headers)) {
      validateHeaderName(name);
      validateHeaderValue(name, value);
    }
    return { problem, headers, body: problemBody(problem, url, correlationId) };
  } catch (cause) {
    const own = new Problem('unexpected', { cause });
    return { problem: own, headers: problemHeaders(own), body: problemBody(own, url, correlationId) };
  }
}

export function logProblem(request: FastifyRequest, { correlationId }: Correlation, problem: Problem): void {
  const facts = {
    method: request.method,
    url: withoutToken(request.url),
    status: problem.status,
    code: problem.code,
    correlationId,
  };
  const { err, message } = loggedProblem(problem);
  // A client that comes early is no fault of the host.
  if (problem.code === 'migrating') log.info(facts, message);
  else if (problem.status >= 500) log.error({ ...facts, err }, message);
  else if (problem.status === 499) log.info(facts, 'the client disconnected');
  else log.debug(facts, message);
}
