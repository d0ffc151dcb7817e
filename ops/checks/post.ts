import type { DeclaredSmokeTest } from '../host/declared-smoke-test.js';
import { setTimeout as delay } from 'node:timers/promises';
import { Problem } from '../../contracts/problems.js';
import { problemIn, runCreate, runRead, type Send, smokeTestIn } from './smoke-test.js';
import { askAgain, askForMs, isUnavailable } from './ask-again.js';
import { type BoundedAnswer, boundedFetch } from './bounded-fetch.js';
import {
  countsBetween,
  errorRateOf,
  hasRequestCounts,
  requestCountsIn,
  toleratedErrorRate,
} from './read-request-counts.js';
import { type CheckOutcome, type CheckReport, checked, failed, passed, reportOf } from './report.js';

interface PostCheckOptions {
  /** Where hosts of the new version answer. */
  readonly url: string;
  /** An API key or a token: may run the command of the smoke test, read its row, and observe the host. */
  readonly key?: string | undefined;
  /** By default the one that the host declares in its OpenAPI document. */
  readonly smokeTest?: DeclaredSmokeTest | undefined;
  /** How long a host may take to become ready. */
  readonly readyWithinMs?: number;
  /** The time over which errors are counted; 0: since the host started. */
  readonly observeMs?: number;
  /** How long each check asks a host that does not answer. */
  readonly askForMs?: number;
  readonly signal?: AbortSignal | undefined;
}

const documentBytes = 16 << 20;
/** What a last try may take after that, and one more. */
const lastTryMs = 30_000;

/** The gate after a deployment: health, a smoke test of one create and one read, and the error rate. */
export async function runPostChecks(options: PostCheckOptions): Promise<CheckReport> {
  const { readyWithinMs = 30_000, observeMs = 0, askForMs: forMs = askForMs, signal } = options;
  const send = senderTo(options);
  const mostMs = forMs + lastTryMs;
  const before = observeMs === 0 ? undefined : await countsAt(send, forMs).catch(() => undefined);
  const startedAt = performance.now();
  const health = await checked('health', readyWithinMs + lastTryMs, () =>
    untilReady(send, readyWithinMs, signal),
  );
  if (!health.ok) return reportOf([health]);
  const smoke = await smokeOutcomes(send, forMs, options.smokeTest);
  const rate = await checked('error-rate', observeMs + mostMs, async () => {
    await delay(Math.max(0, startedAt + observeMs - performance.now()), undefined, {
      ...(signal && { signal }),
    });
    const counts = await countsAt(send, forMs);
    return rateOutcome(before === undefined ? counts : countsBetween(before, counts));
  });
  return reportOf([health, ...smoke, rate]);
}

function senderTo({ url, key, signal }: PostCheckOptions): Send {
  const base = baseOf(url);
  const authorization = key === undefined ? {} : { authorization: `Bearer ${key}` };
  return (path, request = {}) =>
    boundedFetch(new URL(base.pathname.replace(/\/$/, '') + path, base), {
      ...request,
      headers: { ...authorization, ...request.headers },
      signal,
    });
}

function baseOf(url: string): URL {
  const base = URL.canParse(url) ? new URL(url) : undefined;
  if (base !== undefined && /^https?:$/.test(base.protocol) && base.username === '') return base;
  throw new Problem('usage', { detail: 'The URL of the host must be such as http://127.0.0.1:3000.' });
}

async function untilReady(send: Send, withinMs: number, signal?: AbortSignal): Promise<string> {
  const until = performance.now() + withinMs;
  for (;;) {
    const state = await send('/health/ready').catch((error: unknown) => error);
    if (isAnswer(state) && state.status === 200) return 'ready';
    signal?.throwIfAborted();
    if (performance.now() > until) throw notReady(state, withinMs);
    await delay(200);
  }
}

const isAnswer = (state: unknown): state is Awaited<ReturnType<Send>> => !(state instanceof Error);

const notReady = (state: unknown, withinMs: number): Problem =>
  new Problem('invalid-setup', {
    detail: `Not ready within ${withinMs / 1000} s: ${isAnswer(state) ? `/health/ready answered ${state.status}${unhealthyIn(state.text)}` : (state as Error).message}`,
  });

/** The names of the checks that keep a host from being ready, where the caller may see them. */
function unhealthyIn(text: string): string {
  try {
    const { checks } = JSON.parse(text) as { readonly checks: readonly { name: string; status: string }[] };
    const names = checks.filter(({ status }) => status === 'Unhealthy').map(({ name }) => name);
    return names.length === 0 ? '' : ` (${names.join(', ')})`;
  } catch {
    return '';
  }
}

async function smokeOutcomes(
  send: Send,
  forMs: number,
  given?: DeclaredSmokeTest,
): Promise<readonly CheckOutcome[]> {
  // Several requests in turn.
  const mostMs = 2 * (forMs + lastTryMs);
  let test = given;
  let created: Readonly<Record<string, unknown>> = {};
  const create = await checked('smoke-create', mostMs, async () => {
    test ??= await declaredBy(send, forMs);
    if (test === undefined) return 'the service declares no smokeTest';
    created = await runCreate(test, send, undefined, forMs);
    return `POST ${test.create.path}`;
  });
  const declared = test;
  if (!create.ok || declared === undefined) return [create];
  return [
    create,
    await checked('smoke-read', mostMs, async () => `GET ${await runRead(declared, created, send, forMs)}`),
  ];
}

async function declaredBy(send: Send, forMs: number): Promise<DeclaredSmokeTest | undefined> {
  const read = () => send('/openapi.json', { atMostBytes: documentBytes });
  const answer = await askAgain(read, isUnavailable, forMs);
  if (answer.status === 200) return smokeTestIn(answer.text);
  if (answer.status === 404) return undefined;
  throw new Problem('invalid-setup', { detail: `/openapi.json answered ${problemIn(answer)}` });
}

/** Under a supervisor, hosts that do not answer it in time are missing in the metrics. */
async function countsAt(send: Send, forMs: number) {
  const isUndecided = (answer: BoundedAnswer) =>
    isUnavailable(answer) || (answer.status === 200 && !hasRequestCounts(answer.text));
  const read = () => send('/metrics', { atMostBytes: documentBytes });
  const answer = await askAgain(read, isUndecided, forMs);
  if (answer.status !== 200)
    throw new Problem('invalid-setup', { detail: `/metrics answered ${problemIn(answer)}` });
  if (hasRequestCounts(answer.text)) return requestCountsIn(answer.text);
  throw new Problem('invalid-setup', {
    detail: `/metrics showed no requests of a host for ${forMs / 1_000} s; check that the URL is that of the service, and that its hosts are not overloaded.`,
  });
}

function rateOutcome(counts: ReturnType<typeof requestCountsIn>): CheckOutcome {
  const { requests, errors } = counts;
  const rate = errorRateOf(counts);
  const text = `${errors} of ${requests} requests failed (${(rate * 100).toFixed(1)} %, at most ${toleratedErrorRate * 100} % may)`;
  return rate > toleratedErrorRate ? failed('error-rate', text) : passed('error-rate', text);
}
