import type { ClientRequest, IncomingMessage } from 'node:http';
import { Agent, request as httpsRequest, type RequestOptions } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { type ConnectionOptions, createSecureContext, rootCertificates, type SecureContext } from 'node:tls';
import { Problem } from '../../contracts/problems.js';
import type { Duration } from '../../contracts/scalars.js';
import { millisecondsOf } from '../timers/duration.js';
import { callableAddresses, type MayCall } from './callable-addresses.js';
import { nameResolver, type ResolveAll } from './resolve-names.js';

export interface GuardedFetchOptions {
  /** Private addresses or networks that may be called all the same, such as `10.7.0.0/16`. */
  readonly allowedAddresses?: readonly string[];
  /** Ports besides 443. */
  readonly allowedPorts?: readonly number[];
  /** Certificates, as PEM, of authorities that are trusted besides the public ones. */
  readonly authorities?: readonly string[];
  /** For all of a call (default PT15S); a connection must be there within five seconds of it. */
  readonly timeout?: Duration;
  /** How the addresses of a name are found; by default the name servers are asked, without the file `hosts`. */
  readonly lookup?: ResolveAll;
}

export interface GuardedRequest {
  /** `POST` by default. */
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal?: AbortSignal;
}

export interface GuardedAnswer {
  readonly status: number;
  /** In seconds, as `Retry-After` asks. */
  readonly retryAfter: number | undefined;
}

export interface GuardedFetch {
  (url: string, request?: GuardedRequest): Promise<GuardedAnswer>;
  /** Refuses a URL that would never be called: it may be checked before it is stored. */
  mustBeCallable(url: string): URL;
}

const connectMs = 5_000;
/** How long a connection is kept for the next call: most servers close theirs after five seconds or more. */
const idleMs = 2_000;
/** Of one server, as many as a host calls at once: many customers may have theirs at the same one. */
const mostIdle = 64;
const maxUrlLength = 2_048;
const maxHeaderBytes = 8_192;
const maxAnswerBytes = 4_096;
/** An answer may have empty lines, or answers such as 103, before it; without an end they would keep the host busy. */
const maxReadBytes = 262_144;
const lookEveryMs = 100;

/**
 * Makes a function that calls addresses which users have given: https and public addresses alone, no redirects, and
 * nothing of an answer but its status.
 *
 * @example
 * ```ts
 * const call = guardedFetch({ allowedPorts: [8443] });
 * const { status } = await call(url, { body, headers: { 'content-type': 'application/json' }, signal });
 * ```
 */
export function guardedFetch({
  allowedAddresses = [],
  allowedPorts = [],
  authorities,
  timeout = 'PT15S',
  lookup: resolve = nameResolver(),
}: GuardedFetchOptions = {}): GuardedFetch {
  const mayCall = callableAddresses(allowedAddresses);
  const ca = authorities && [...rootCertificates, ...authorities];
  let trusted: SecureContext | undefined;
  const options = {
    timeoutMs: millisecondsOf(timeout, 'guardedFetch: timeout', 'invalid-setup'),
    lookup: checkedLookup(resolve, mayCall),
    // Made once: it reads all certificates, which takes longer than a call.
    secureContext: () => (trusted ??= createSecureContext({ ca })),
    // A handshake takes longer than the call; the address of a connection was checked when it was made.
    agent: new Agent({ keepAlive: true, timeout: idleMs, maxFreeSockets: mostIdle }),
  };
  const mustBeCallable = (text: string): URL => urlFrom(text, mayCall, allowedPorts);
  return Object.assign(
    async (url: string, request: GuardedRequest = {}) => call(mustBeCallable(url), request, options),
    { mustBeCallable },
  );
}

function urlFrom(text: string, mayCall: MayCall, ports: readonly number[]): URL {
  // The parser drops line breaks and tabs, and takes a backslash for a slash.
  if (text.length > maxUrlLength || !/^https:\/\/[^\s\\]+$/i.test(text) || !URL.canParse(text))
    throw refused(`Give a URL that begins with https://, of at most ${maxUrlLength} characters.`);
  const url = new URL(text);
  if (url.username !== '' || url.password !== '') throw refused('A URL must not contain credentials.');
  const port = url.port === '' ? 443 : Number(url.port);
  if (port !== 443 && !ports.includes(port)) throw refused(`Port ${port} may not be called; use 443.`);
  // No lookup is asked for an address.
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (isIP(host) !== 0 && !mayCall(host)) throw refused('The address is not a public one.');
  return url;
}

/** One private address is enough to refuse a name; what was checked is what is connected to. */
const checkedLookup =
  (resolve: ResolveAll, mayCall: MayCall): LookupFunction =>
  (hostname, { all }, callback) =>
    resolve(hostname, { all: true }, (error, addresses) => {
      const [first] = addresses ?? [];
      if (error !== null || first === undefined)
        callback(error ?? new Problem('effect-failed', { detail: 'The name has no address.' }), '');
      else if (!addresses.every(({ address }) => mayCall(address)))
        callback(refused(`${hostname} has an address that is not a public one.`), '');
      else if (all === true) callback(null, addresses);
      else callback(null, first.address, first.family);
    });

interface CallOptions {
  readonly timeoutMs: number;
  readonly lookup: LookupFunction;
  readonly secureContext: () => SecureContext;
  readonly agent: Agent;
}

async function call(
  url: URL,
  { method = 'POST', headers = {}, body, signal }: GuardedRequest,
  { timeoutMs, lookup, secureContext, agent }: CallOptions,
): Promise<GuardedAnswer> {
  signal?.throwIfAborted();
  const options: RequestOptions & Pick<ConnectionOptions, 'secureContext'> = {
    method,
    agent,
    lookup,
    secureContext: secureContext(),
    rejectUnauthorized: true,
    maxHeaderSize: maxHeaderBytes,
    headers: { ...headers, 'user-agent': 'svc-runtime' },
  };
  const request = httpsRequest(url, options);
  const answered = answerTo(request);
  const stop = (reason: Error): unknown => request.destroy(reason);
  const aborted = (): unknown => stop(signal?.reason as Error);
  const whole = setTimeout(() => stop(late('answer', timeoutMs)), timeoutMs);
  const connecting = setTimeout(() => stop(late('connection', connectMs)), connectMs);
  const connected = (): void => clearTimeout(connecting);
  // What an earlier call has read on the same connection does not count.
  let readBefore = 0;
  request.once('socket', (socket) => {
    readBefore = socket.bytesRead;
    if (request.reusedSocket) connected();
    else socket.once('secureConnect', connected);
  });
  const reading = setInterval(() => {
    if ((request.socket?.bytesRead ?? 0) - readBefore > maxReadBytes)
      stop(new Problem('effect-failed', { detail: 'The answer is too long.' }));
  }, lookEveryMs);
  signal?.addEventListener('abort', aborted, { once: true });
  try {
    request.end(body);
    const response = await answered;
    await discard(response);
    return { status: response.statusCode ?? 0, retryAfter: secondsIn(response.headers['retry-after']) };
  } catch (error) {
    throw signal?.aborted === true || error instanceof Problem ? error : failed(error);
  } finally {
    clearTimeout(whole);
    clearTimeout(connecting);
    clearInterval(reading);
    signal?.removeEventListener('abort', aborted);
    request.destroy();
  }
}

function answerTo(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const closed = (): void => reject(new Problem('effect-failed', { detail: 'The connection was closed.' }));
    request.once('close', closed);
    request.once('response', (response) => {
      request.off('close', closed);
      resolve(response);
    });
    // More may follow after the answer: they are of no interest.
    request.on('error', reject);
    // Node emits neither for an upgrade that nobody has asked for.
    request.once('upgrade', (_, socket) => {
      socket.destroy();
      reject(new Problem('effect-failed', { detail: 'The answer is not one of HTTP.' }));
    });
  });
}

/** Reads a little, so that the sender can end; the status counts, however the body ends. */
async function discard(response: IncomingMessage): Promise<void> {
  let bytes = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>)
      if ((bytes += chunk.length) >= maxAnswerBytes) return;
  } catch {
    return;
  }
}

const longestRetryAfterS = 999_999_999;

/** What `Retry-After` says, in seconds: it has a number of them, or a date. */
export function secondsIn(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d+$/.test(text)) return Math.min(Number(text), longestRetryAfterS);
  const seconds = Math.ceil((Date.parse(text) - Date.now()) / 1_000);
  return Number.isFinite(seconds) ? Math.max(0, seconds) : undefined;
}

const refused = (detail: string): Problem => new Problem('address-refused', { detail });

const late = (what: string, ms: number): Problem =>
  new Problem('effect-timeout', { detail: `The ${what} did not come within ${ms} ms.` });

function failed(cause: unknown): Problem {
  const code = (cause as NodeJS.ErrnoException | undefined)?.code ?? 'unknown reason';
  return new Problem('effect-failed', { detail: `The call failed (${code}).`, cause });
}
