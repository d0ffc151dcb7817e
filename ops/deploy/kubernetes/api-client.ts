import { setTimeout as delay } from 'node:timers/promises';
import { isObject } from '../../../contracts/codec-scalars.js';
import { Problem } from '../../../contracts/problems.js';
import { type ApiAnswer, type ApiRequest, send } from './api-request.js';
import type { Cluster } from './cluster.js';
import type { KubernetesObject } from './objects.js';

export interface ApiClient {
  get<T>(path: string, signal: AbortSignal): Promise<T>;
  text(path: string, limit: number, signal: AbortSignal): Promise<string>;
  /** Reads, lets `decide` make a merge patch of what it read, and repeats both if another client was faster. */
  change<T extends KubernetesObject>(
    path: string,
    decide: (object: T) => object | undefined,
    signal: AbortSignal,
  ): Promise<T>;
}

interface Timing {
  /** Of one request. */
  readonly timeoutMs: number;
  /** The first wait before a retry; each further one is twice as long. */
  readonly retryMs: number;
}

const mergePatch = 'application/merge-patch+json';
const longestAnswer = 16_777_216;
const attempts = 8;
const longestWaitMs = 2_000;
/** No attempt begins later: attempts that time out take long. */
const patienceMs = 25_000;

/** A client of the few calls that a deployment needs. */
export function apiClient(cluster: Cluster, timing: Timing = { timeoutMs: 10_000, retryMs: 50 }): ApiClient {
  const call = (method: string, path: string, signal: AbortSignal, more: Partial<ApiRequest> = {}) =>
    callOnce(cluster, { method, path, timeoutMs: timing.timeoutMs, more }, signal);
  const get = async <T>(path: string, signal: AbortSignal): Promise<T> =>
    parsed(await retrying(() => call('GET', path, signal), timing, signal), path) as T;

  return {
    get,
    text: async (path, limit, signal) =>
      (await call('GET', path, signal, { limit, accept: 'text/plain' })).text,
    change: (path, decide, signal) =>
      retrying(
        async () => {
          const object = parsed(await call('GET', path, signal), path) as never;
          const patch = decide(object);
          if (patch === undefined) return object;
          const { resourceVersion } = (object as KubernetesObject).metadata;
          const text = JSON.stringify({ ...patch, metadata: { resourceVersion } });
          const answer = await call('PATCH', `${path}?fieldValidation=Strict`, signal, {
            body: { type: mergePatch, text },
          });
          return parsed(answer, path) as never;
        },
        timing,
        signal,
      ),
  };
}

interface Call {
  readonly method: string;
  readonly path: string;
  readonly timeoutMs: number;
  readonly more: Partial<ApiRequest>;
}

async function callOnce(
  cluster: Cluster,
  { method, path, timeoutMs, more }: Call,
  signal: AbortSignal,
): Promise<ApiAnswer> {
  signal.throwIfAborted();
  const credentials = await cluster.credentials(signal);
  // The server may be below a path, as behind a proxy for several clusters.
  const url = new URL(`${cluster.server.pathname.replace(/\/$/, '')}${path}`, cluster.server);
  const request = { method, url, accept: 'application/json', credentials, limit: longestAnswer, ...more };
  const limited = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  let answer: ApiAnswer;
  try {
    answer = await send(request, limited);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof Problem) throw error;
    const why = limited.aborted ? `no answer within ${timeoutMs} ms` : reasonOf(error);
    // Without its cause: what a lost connection means is said of PostgreSQL.
    throw new Problem('cluster-unreachable', {
      detail: `The Kubernetes API at ${url.host} cannot be reached: ${why}.`,
    });
  }
  if (answer.status < 200 || answer.status > 299) throw refused(method, path, answer);
  return answer;
}

/** A code such as ECONNREFUSED or CERT_HAS_EXPIRED; messages may repeat what was sent. */
function reasonOf(error: unknown): string {
  const code = (error as { readonly code?: unknown } | undefined)?.code;
  return typeof code === 'string' ? code : 'the connection failed';
}

function refused(method: string, path: string, { status, text, retryAfterMs }: ApiAnswer): Problem {
  const what = path.replace(/\?.*$/, '').replace(/^.*\/namespaces\//, '');
  return new Problem('cluster-refused', {
    status,
    detail: `The Kubernetes API answered ${status} to ${method} ${what}${messageIn(text)}`,
    ...(retryAfterMs === undefined ? {} : { retryAfter: retryAfterMs / 1_000 }),
  });
}

/** The message of a Status object, on one line. */
function messageIn(text: string): string {
  try {
    const { message } = JSON.parse(text) as { readonly message?: unknown };
    if (typeof message !== 'string') return '.';
    return `: ${message.replaceAll(/[\s\p{Cc}]+/gu, ' ').slice(0, 300)}`;
  } catch {
    return '.';
  }
}

function parsed({ text }: ApiAnswer, path: string): unknown {
  const strange = (what: string, cause?: unknown): Problem =>
    new Problem('cluster-refused', {
      detail: `The answer to ${path.replace(/\?.*$/, '')} is ${what}; is this a Kubernetes API server?`,
      cause,
    });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw strange('not JSON', cause);
  }
  if (!path.includes('/namespaces/') || isObjectOrList(value)) return value;
  throw strange('no object of Kubernetes');
}

/** What lies in a namespace; another server, such as a proxy, answers with JSON of its own. */
const isObjectOrList = (value: unknown): boolean =>
  isObject(value) &&
  typeof value['kind'] === 'string' &&
  isObject(value['metadata']) &&
  (isObject(value['spec']) || (Array.isArray(value['items']) && value['items'].every(isObject)));

/** What another attempt may mend: conflicts, overload, lost connections. */
const isPassing = (error: unknown): error is Problem =>
  error instanceof Problem &&
  (error.code === 'cluster-unreachable' ||
    (error.code === 'cluster-refused' && [409, 429, 500, 502, 503, 504].includes(error.status)));

async function retrying<T>(attempt: () => Promise<T>, { retryMs }: Timing, signal: AbortSignal): Promise<T> {
  const started = performance.now();
  for (let n = 1; ; n++) {
    try {
      return await attempt();
    } catch (error) {
      const isLast = n === attempts || performance.now() - started > patienceMs;
      if (!isPassing(error) || isLast) throw error;
      const wait = Math.min(retryMs * 2 ** n, longestWaitMs) * Math.random();
      await delay(error.retryAfter === undefined ? wait : error.retryAfter * 1_000, undefined, { signal });
    }
  }
}
