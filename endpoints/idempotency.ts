import { hash } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { Idempotency } from '../contracts/mutation-context.js';
import type { PerspectiveScope } from '../contracts/perspective-scope.js';
import { Problem, type ProblemInit } from '../contracts/problems.js';
import { outcomeWith, type StoredOutcome, type UnitStore } from '../contracts/unit-store.js';
import { failpoint } from '../runtime/lang/failpoint.js';
import type { LifecycleEnd } from '../runtime/request/observer.js';
import { type Caller, type RequestContext, runOf } from '../runtime/request/request-context.js';
import { problemBody, problemOfEnd } from './problem.js';
import type { EndpointPorts, EndpointRegistration } from './registrations.js';

export interface Answer extends StoredOutcome {
  readonly replayed: boolean;
}

interface IdempotentCommand {
  readonly key: string;
  readonly of: Pick<EndpointRegistration, 'command' | 'permission' | 'encode'>;
  /** The decoded command or request, or what it was made from: it must be the same when the key is used again. */
  readonly sent: unknown;
  readonly caller: Caller | undefined;
  /** By default that of the caller. */
  readonly scope?: PerspectiveScope | undefined;
}

/** The `Idempotency-Key` of a request; undefined when it has none. */
export function idempotencyKeyOf(headers: IncomingHttpHeaders): string | undefined {
  const header = headers['idempotency-key'];
  if (header === undefined) return undefined;
  const key = String(header);
  if (/^[\x21-\x7e]{1,255}$/.test(key)) return key;
  throw new Problem('invalid-header', {
    detail: 'Idempotency-Key must be 1 to 255 visible ASCII characters.',
  });
}

/** A stored answer belongs to the whole scope of its caller: no caller gets the answer of another. */
export function idempotencyOf({
  key,
  of,
  sent,
  caller,
  scope = caller?.identity?.scope,
}: IdempotentCommand): Idempotency {
  const { tenantId, userId, organizationId, customerId, extensions } = scope ?? {};
  const apiKey = extensions?.['apiKey'];
  const isUnknown = caller?.guard !== undefined && userId === undefined && apiKey === undefined;
  if (isUnknown && of.permission !== 'public') throw new Problem('idempotency-needs-identity');
  const fingerprint = hash('sha256', JSON.stringify(sent), 'buffer');
  // Callers without a name share an answer only when they sent the same.
  const body = isUnknown ? fingerprint.toString('hex') : undefined;
  const owner = { tenantId, userId, organizationId, customerId, apiKey, body };
  const scoped = JSON.stringify([owner, of.command.name, key]);
  return { key: hash('sha256', scoped, 'buffer'), fingerprint, encode: of.encode };
}

interface IdempotentRun {
  readonly context: RequestContext;
  readonly idempotency: Idempotency;
  /** The path of the request. */
  readonly instance: string;
  readonly run: () => Promise<LifecycleEnd<unknown>>;
}

/** Answers a command once; every repetition gets the stored answer and runs no hook. */
export async function answerOnce({ gate, store }: EndpointPorts, only: IdempotentRun): Promise<Answer> {
  const { key, fingerprint } = only.idempotency;
  const claim = await gate.claim(key, fingerprint);
  if (claim.is === 'replay') return { ...claim.outcome, replayed: true };
  if (claim.is === 'reused') throw new Problem('idempotency-key-reused');
  if (claim.is === 'in-flight') throw new Problem('duplicate-in-flight', { retryAfter: 1 });
  failpoint('idempotency-after-claim');
  let answer: Answer | undefined;
  try {
    return (answer = await firstAnswer(store, only));
  } catch (error) {
    if (!isKeyTaken(error)) throw error;
  } finally {
    const released = claim.release();
    // A stored answer is found while the key is still locked. Without one, a retry elsewhere must find the key free.
    if (answer === undefined) await released;
  }
  // The lock was lost and another host committed first: its answer counts.
  const again = await gate.claim(key, fingerprint);
  if (again.is === 'replay') return { ...again.outcome, replayed: true };
  if (again.is === 'free') await again.release();
  throw new Problem(again.is === 'reused' ? 'idempotency-key-reused' : 'duplicate-in-flight');
}

/** Refusals that a retry may not meet again. */
const retryableStatuses = new Set([401, 403, 408, 409, 425, 429, 499]);

async function firstAnswer(
  store: UnitStore,
  { context, idempotency, instance, run }: IdempotentRun,
): Promise<Answer> {
  const end = await run();
  const { committed, refusal } = runOf(context);
  if ('result' in end) {
    const stored = end.outcome === 'completed' ? committed?.outcome : undefined;
    const body = stored === undefined ? idempotency.encode(end.result) : stored.body;
    const outcome = outcomeWith(body);
    if (stored === undefined) await storeOutcome(store, idempotency, outcome);
    return { ...outcome, replayed: false };
  }
  if (isKeyTaken(end.error)) throw end.error;
  const problem = problemOfEnd(end, context);
  const isRefused = end.error === refusal && end.error instanceof Problem && problem.status < 500;
  const wasDispatched = end.in === 'dispatching' || end.in === 'recovering';
  if (wasDispatched && isRefused && !retryableStatuses.has(problem.status)) {
    const body = problemBody(problem, instance, context.correlationId);
    await storeOutcome(store, idempotency, { status: problem.status, body });
  }
  throw problem;
}

async function storeOutcome(
  store: UnitStore,
  { key, fingerprint }: Idempotency,
  answer: StoredOutcome,
): Promise<void> {
  failpoint('idempotency-before-commit');
  const outcome = { key, fingerprint, ...answer };
  await store.commit({ events: [], records: [], expected: new Map(), outcome });
  failpoint('idempotency-after-commit');
}

/** Another host has committed an answer for the key. */
const isKeyTaken = (error: unknown): error is Problem =>
  error instanceof Problem && error.code === 'duplicate-in-flight';

/** A refusal that was stored for an earlier request with the same key. */
export class RepeatedProblem extends Problem {}

/** The result of a command, whether it ran now or earlier; a stored refusal is thrown. */
export function resultIn({ status, body }: Answer): unknown {
  const stored: unknown = body === null ? undefined : JSON.parse(body);
  if (status < 400) return stored;
  const { type, title, status: own, detail, errors, ...more } = stored as StoredProblem;
  const { instance: _, correlationId: __, ...extensions } = more;
  throw new RepeatedProblem(type.slice(type.lastIndexOf(':') + 1), {
    title,
    status: own,
    extensions,
    ...(detail !== undefined && { detail }),
    ...(errors !== undefined && { errors }),
  });
}

/** A problem as it was first answered and stored. */
type StoredProblem = Required<Pick<ProblemInit, 'title' | 'status'>> &
  Pick<ProblemInit, 'detail' | 'errors'> & { readonly type: string; readonly [extension: string]: unknown };
