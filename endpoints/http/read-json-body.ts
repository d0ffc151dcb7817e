import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders } from 'node:http';
import type {
  FastifyInstance,
  FastifyReply,
  FastifyRequest,
  onRequestHookHandler,
  onSendHookHandler,
} from 'fastify';
import secureParse from 'secure-json-parse';
import { Problem } from '../../contracts/problems.js';
import { correlationOf } from './correlation.js';
import { httpFailure } from './http-failures.js';
import { sendProblem } from './reply.js';

const maxDepth = 64;

export type BodyHandler = (
  request: FastifyRequest,
  reply: FastifyReply,
  body: unknown,
  text: string,
) => unknown;

interface JsonRoute {
  readonly onRequest: readonly onRequestHookHandler[];
  readonly onSend?: readonly onSendHookHandler[];
  readonly config?: object;
  readonly bodyLimit: number;
  readonly handle: BodyHandler;
  /** Hooks of the application need the framework's own handling of a body and an answer, which costs time. */
  readonly runsEveryHook: boolean;
}

export function jsonRoute(
  app: FastifyInstance,
  url: string,
  { onRequest, onSend = [], config = {}, bodyLimit, handle, runsEveryHook }: JsonRoute,
): void {
  const last = runsEveryHook ? refuseOtherTypes : bodyHook(bodyLimit, handle);
  app.post(url, { onRequest: [...onRequest, last], onSend: [...onSend], config }, (request, reply) => {
    if (runsEveryHook) void handle(request, reply, request.body, keptTextOf(request));
  });
}

/**
 * Reads the body and passes it on, or refuses it. It is the last hook of its route, and the framework does nothing after
 * it: its own body parsing would take longer than everything else it does.
 */
const bodyHook = (limit: number, handle: BodyHandler) => (request: FastifyRequest, reply: FastifyReply) => {
  const { raw } = request;
  const refuse = (error: unknown): void => {
    // The unread rest may be long.
    if (!raw.complete) reply.header('connection', 'close');
    sendProblem(request, reply, correlationOf(request), httpFailure(error));
  };
  try {
    mustBeJson(raw.headers);
    mustFit(Number(raw.headers['content-length'] ?? 0), limit);
  } catch (error) {
    return refuse(error);
  }
  let chunks: Buffer[] | undefined;
  let length = 0;
  let isOver = false;
  const end = (failure?: unknown): void => {
    if (isOver) return;
    isOver = true;
    if (failure !== undefined) return refuse(failure);
    let text: string;
    let body: unknown;
    try {
      mustFit(length, limit);
      text = textOf(joined(chunks ?? []));
      body = parseText(text);
    } catch (error) {
      return refuse(error);
    }
    handle(request, reply, body, text);
  };
  raw.on('data', (chunk: Buffer): void => {
    // The rest of a body that was refused is read and dropped.
    if (isOver) return;
    // Nearly every body is one chunk: a list for one is a tenth as long as one that grows.
    if (chunks === undefined) chunks = [chunk];
    else chunks.push(chunk);
    length += chunk.length;
    if (length > limit) end();
  });
  raw.on('end', end);
  raw.on('error', end);
};

function mustFit(length: number, limit: number): void {
  if (length > limit) throw new Problem('body-too-large');
}

const joined = (chunks: readonly Buffer[]): Buffer => {
  const [first] = chunks;
  return first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks);
};

/** Whatever parsers the application adds: a form of another site must never become a command. */
const refuseOtherTypes: onRequestHookHandler = ({ headers }, _, done) => {
  mustBeJson(headers);
  done();
};

function keptTextOf({ rawBody }: FastifyRequest): string {
  if (rawBody !== undefined) return rawBody.toString('utf8');
  throw new Problem('invalid-setup', {
    detail: 'The application replaced the parser of application/json; replace it in a plugin of its own.',
  });
}

/** A body must be JSON in UTF-8, declared as such. */
export function mustBeJson(headers: IncomingHttpHeaders): void {
  const type = headers['content-type'];
  if (type !== 'application/json') mustSayJson(type, headers);
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity')
    throw unsupported('Compressed bodies are not supported.');
}

function mustSayJson(type: string | undefined, headers: IncomingHttpHeaders): void {
  if (type === undefined && !hasBody(headers)) throw malformed('The body is empty.');
  if (!saysJson(type)) throw unsupported('Send Content-Type: application/json.');
  const charset = /;\s*charset="?([^\s;"]+)/i.exec(type ?? '')?.[1];
  if (charset !== undefined && !/^utf-?8$/i.test(charset))
    throw unsupported(`The charset must be UTF-8, not ${charset}.`);
}

export const saysJson = (type: string | undefined): boolean =>
  /^\s*application\/json\s*(?:;|$)/i.test(type ?? '');

const hasBody = (headers: IncomingHttpHeaders): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

const unsupported = (detail: string): Problem => new Problem('unsupported-media-type', { detail });

/** Parses JSON: UTF-8, no deeper than 64, without keys that reach for a prototype. */
export const parseBody = (body: Buffer): unknown => parseText(textOf(body));

function textOf(body: Buffer): string {
  if (body.length === 0) throw malformed('The body is empty.');
  if (!isUtf8(body)) throw malformed('The body is not UTF-8.');
  const text = body.toString('utf8');
  if (mayBeTooDeep(text) && depthOf(body) > maxDepth)
    throw malformed(`The body is nested deeper than ${maxDepth}.`);
  return text;
}

function parseText(text: string): unknown {
  try {
    return mayNamePrototype(text) ? parseSecurely(text) : JSON.parse(text);
  } catch (error) {
    const forbidden = error instanceof SyntaxError && error.message.includes('forbidden');
    throw malformed(forbidden ? 'The body has a forbidden key.' : 'The body cannot be parsed.', error);
  }
}

const parseSecurely = (text: string): unknown =>
  secureParse.parse(text, undefined, { protoAction: 'error', constructorAction: 'error' });

/** A key can only be written literally or escaped. */
const mayNamePrototype = (text: string): boolean =>
  text.includes('__proto__') || text.includes('constructor') || text.includes('\\u');

const malformed = (detail: string, cause?: unknown): Problem =>
  new Problem('malformed-json', { detail, cause });

const quote = 0x22;
const backslash = 0x5c;
const opens = (byte: number): boolean => byte === 0x7b || byte === 0x5b;
const closes = (byte: number): boolean => byte === 0x7d || byte === 0x5d;

/** A text with fewer opening brackets cannot be deeper; counting them is much cheaper than measuring the depth. */
const mayBeTooDeep = (text: string): boolean => count(text, '{') + count(text, '[') > maxDepth;

function count(text: string, opening: string): number {
  let found = 0;
  for (let at = text.indexOf(opening); at >= 0 && found <= maxDepth; at = text.indexOf(opening, at + 1))
    found++;
  return found;
}

function depthOf(body: Buffer): number {
  let depth = 0;
  let deepest = 0;
  let inText = false;
  for (let index = 0; index < body.length; index++) {
    const byte = body[index] ?? 0;
    if (inText && byte === backslash) index++;
    else if (byte === quote) inText = !inText;
    else if (!inText && opens(byte)) deepest = Math.max(deepest, ++depth);
    else if (!inText && closes(byte)) depth--;
  }
  return deepest;
}
