import {
  request as httpRequest,
  type Agent,
  type IncomingHttpHeaders,
  type IncomingMessage,
} from 'node:http';
import { connect, type Socket } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import * as assert from 'uvu/assert';

export interface Asked {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
  readonly agent?: Agent;
  readonly signal?: AbortSignal;
}

export interface Answered {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}

/** The members of a problem+json answer that tests check. */
export interface ProblemAnswer {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail?: string;
  readonly instance: string;
  readonly correlationId: string;
  readonly errors?: readonly { readonly path: string; readonly message: string }[];
  readonly committed?: unknown;
  readonly cause?: unknown;
}

/** One request on its own connection; the answer must not reveal internals. */
export function send(url: string, asked: Asked = {}): Promise<Answered> {
  const { method = 'POST', path = '/bread', headers = {}, body, agent, signal } = asked;
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(url);
    const abort = signal === undefined ? {} : { signal };
    const options = { hostname, port, path, method, headers, agent: agent ?? false, ...abort };
    const request = httpRequest(options, (response) => {
      const answered = textOf(response).then((text) => {
        // A page and its script are the same for everybody, and name checks.
        if (!isPage(response)) mustNotLeak(text);
        return { status: response.statusCode ?? 0, headers: response.headers, text };
      });
      answered.then(resolve, reject);
    });
    request.once('error', reject);
    request.end(body);
  });
}

/** POST of a value as JSON. */
export const post = (url: string, value: unknown, asked: Asked = {}): Promise<Answered> =>
  send(url, {
    ...asked,
    body: JSON.stringify(value),
    headers: { 'content-type': 'application/json', ...asked.headers },
  });

/** Sent again while the host is too busy to take it: other processes may have its processor. */
export async function postUntilTaken(...asked: Parameters<typeof post>): Promise<Answered> {
  for (let tries = 1; ; tries++) {
    const answer = await post(...asked);
    if (answer.status !== 503 || tries === 20) return answer;
  }
}

export const keyed = (key: string): Asked => ({ headers: { 'idempotency-key': key } });

export const jsonOf = (answer: Answered): unknown => JSON.parse(answer.text);

/** The problem of an answer, after checking the members that every problem must have. */
export function problemIn(answer: Answered): ProblemAnswer {
  assert.is(answer.headers['content-type'], 'application/problem+json; charset=utf-8');
  const problem = JSON.parse(answer.text) as ProblemAnswer;
  assert.is(problem.status, answer.status);
  assert.match(problem.type, /^urn:svc:problem:[a-z-]+$/);
  assert.ok(problem.title.length > 0);
  assert.is(problem.correlationId, answer.headers['x-correlation-id']);
  return problem;
}

/** `status code` of a problem, such as `404 not-found`. */
export const refusalIn = (answer: Answered): string =>
  `${answer.status} ${problemIn(answer).type.slice('urn:svc:problem:'.length)}`;

const internals =
  /\bat \S+ \(|\.[jt]s:\d+|node_modules|\/dist\/|node:internal|\bSELECT\b|\bINSERT\b|svc_|postgres|TypeError|secret/;

const isPage = ({ statusCode, headers }: IncomingMessage): boolean =>
  statusCode === 200 && /^text\/(?:html|javascript)/.test(headers['content-type'] ?? '');

function mustNotLeak(text: string): void {
  assert.not.match(text, internals);
}

/** A raw connection, for what no HTTP client would send. */
export interface RawConnection {
  readonly socket: Socket;
  write(text: string | Buffer): void;
  /** Everything received so far. */
  received(): string;
  /** Waits for a match in the received text. */
  until(pattern: RegExp): Promise<string>;
  /** Everything received until the server closed. */
  readonly closed: Promise<string>;
  close(): void;
}

export async function openRaw(url: string): Promise<RawConnection> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', reject);
  });
  let received = '';
  socket.setEncoding('latin1').on('data', (text: string) => (received += text));
  socket.on('error', () => undefined);
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve())).then(() => {
    mustNotLeak(received);
    return received;
  });
  return {
    socket,
    write: (text) => socket.write(text),
    received: () => received,
    until: (pattern) => untilReceived(socket, () => received, pattern),
    closed,
    close: () => socket.destroy(),
  };
}

function untilReceived(socket: Socket, received: () => string, pattern: RegExp): Promise<string> {
  return new Promise((resolve, reject) => {
    const look = () => {
      if (!pattern.test(received())) return;
      socket.off('data', look);
      resolve(received());
    };
    socket.on('data', look);
    socket.once('close', () => {
      reject(new Error(`closed before ${String(pattern)} was received: ${received()}`));
    });
    look();
  });
}

/** A POST as raw bytes. */
export const rawPost = (path: string, body: string, ...headers: string[]): string =>
  [
    `POST ${path} HTTP/1.1`,
    'Host: localhost',
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...headers,
    '',
    body,
  ].join('\r\n');
