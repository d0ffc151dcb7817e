import { isUtf8 } from 'node:buffer';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import secureParse from 'secure-json-parse';
import { Problem } from '../../contracts/problems.js';

const maxDepth = 64;

/** Called once: with the error, or with the parsed body and its text. */
type Received = (error: unknown, body?: unknown, text?: string) => void;

/** Reads a body to its end and parses it. */
export function receiveJson(request: IncomingMessage, limit: number, received: Received): void {
  const refusal = refusalOf(request.headers, limit);
  if (refusal !== undefined) return received(refusal);
  let chunks: Buffer[] | undefined;
  let length = 0;
  let isOver = false;
  const end = (error: unknown): void => {
    if (isOver) return;
    isOver = true;
    if (error !== undefined) return received(error);
    let text: string;
    let body: unknown;
    try {
      text = textOf(joined(chunks ?? []));
      body = parseText(text);
    } catch (problem) {
      return received(problem);
    }
    received(undefined, body, text);
  };
  const take = (chunk: Buffer): void => {
    // The rest of a body that was refused is read and dropped.
    if (isOver) return;
    // Nearly every body is one chunk: a list for one is a tenth as long as one that grows.
    if (chunks === undefined) chunks = [chunk];
    else chunks.push(chunk);
    length += chunk.length;
    if (length > limit) end(new Problem('body-too-large'));
  };
  request.on('data', take);
  request.on('end', end);
  request.on('error', end);
}

const joined = (chunks: readonly Buffer[]): Buffer => {
  const [first] = chunks;
  return first !== undefined && chunks.length === 1 ? first : Buffer.concat(chunks);
};

function refusalOf(headers: IncomingHttpHeaders, limit: number): Problem | undefined {
  try {
    mustBeJson(headers);
  } catch (problem) {
    return problem as Problem;
  }
  return Number(headers['content-length'] ?? 0) > limit ? new Problem('body-too-large') : undefined;
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
