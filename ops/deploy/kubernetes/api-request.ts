import { Agent as HttpAgent, type IncomingMessage, request as httpRequest } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import { Problem } from '../../../contracts/problems.js';
import type { Credentials } from './cluster.js';

export interface ApiRequest {
  readonly method: string;
  readonly url: URL;
  readonly body?: { readonly type: string; readonly text: string };
  readonly accept: string;
  readonly credentials: Credentials;
  /** Longer answers are refused. */
  readonly limit: number;
}

export interface ApiAnswer {
  readonly status: number;
  readonly text: string;
  /** Milliseconds that the server asks to wait before a retry. */
  readonly retryAfterMs: number | undefined;
}

const plain = new HttpAgent({ keepAlive: true });
let tls: { readonly key: string; readonly agent: HttpsAgent } | undefined;

/** Connections are kept while the certificates are the same. */
function agentFor(credentials: Credentials): HttpsAgent {
  const settings = Object.fromEntries(
    Object.entries(credentials).filter(([name, value]) => name !== 'token' && value !== undefined),
  );
  const key = JSON.stringify(settings);
  if (tls?.key !== key) tls = { key, agent: new HttpsAgent({ keepAlive: true, ...settings }) };
  return tls.agent;
}

/** Sends one request, and reads its whole answer. */
export function send(request: ApiRequest, signal: AbortSignal): Promise<ApiAnswer> {
  const { method, url, body, accept, credentials, limit } = request;
  const headers = {
    accept,
    ...(credentials.token === undefined ? {} : { authorization: `Bearer ${credentials.token}` }),
    ...(body === undefined
      ? {}
      : { 'content-type': body.type, 'content-length': Buffer.byteLength(body.text) }),
  };
  return new Promise((resolve, reject) => {
    const answered = (response: IncomingMessage): void => {
      readAll(response, limit).then(resolve, reject);
    };
    const options = { method, headers, signal };
    const sent =
      url.protocol === 'https:'
        ? httpsRequest(url, { ...options, agent: agentFor(credentials) }, answered)
        : httpRequest(url, { ...options, agent: plain }, answered);
    sent.on('error', reject);
    sent.end(body?.text);
  });
}

async function readAll(response: IncomingMessage, limit: number): Promise<ApiAnswer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > limit) {
      response.destroy();
      throw new Problem('cluster-refused', { detail: `An answer was longer than ${limit} bytes.` });
    }
    chunks.push(chunk);
  }
  const seconds = Number(response.headers['retry-after']);
  return {
    status: response.statusCode ?? 0,
    text: Buffer.concat(chunks).toString('utf8'),
    retryAfterMs: seconds > 0 ? Math.min(seconds, 5) * 1_000 : undefined,
  };
}
