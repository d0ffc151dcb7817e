import { hash } from 'node:crypto';
import type { IdempotencyGate } from '../contracts/idempotency-gate.js';
import type { RequiredPermission } from '../contracts/identity.js';
import type { Idempotency } from '../contracts/mutation-context.js';
import { Problem } from '../contracts/problems.js';
import type { StoredOutcome, UnitStore } from '../contracts/unit-store.js';
import { failpoint } from '../runtime/failpoint.js';
import type { RequestContext } from '../runtime/request-context.js';
import type { LifecycleEnd } from './lifecycle/lifecycle.js';

export interface Answer extends StoredOutcome {
  readonly replayed: boolean;
}

export interface KeyedRequest {
  readonly key: string;
  readonly commandType: string;
  /** What a caller needs to send the command. */
  readonly permission: RequiredPermission;
  /** The decoded command or request, or what it was made from: it must be the same when the key is used again. */
  readonly decoded: unknown;
  readonly context: RequestContext;
  readonly encode: (result: unknown) => string | null;
  /** Encodes the answer to a failure. */
  refuse(problem: Problem): string;
  run(): Promise<LifecycleEnd<unknown>>;
  /** The problem that answers a failed end. */
  problemOf(end: LifecycleEnd<unknown> & { error: unknown }): Problem;
}

/** Refusals that a retry may not meet again. */
const retryableStatuses = new Set([401, 403, 408, 409, 425, 429, 499]);

/** Answers a keyed request once; every repetition gets the stored answer and runs no hook. */
export async function answerOnce(
  gate: IdempotencyGate,
  store: UnitStore,
  request: KeyedRequest,
): Promise<Answer> {
  const idempotency = idempotencyOf(request);
  const claim = await gate.claim(idempotency.key, idempotency.fingerprint);
  if (claim.is === 'replay') return { ...claim.outcome, replayed: true };
  if (claim.is === 'reused') throw new Problem('idempotency-key-reused');
  if (claim.is === 'in-flight') throw new Problem('duplicate-in-flight', { retryAfter: 1 });
  failpoint('idempotency-after-claim');
  request.context.idempotency = idempotency;
  let isTaken = false;
  try {
    return await firstAnswer(store, request, idempotency);
  } catch (error) {
    isTaken = error instanceof KeyTaken;
    if (!isTaken) throw error;
  } finally {
    await claim.release();
  }
  return winningAnswer(gate, idempotency);
}

async function firstAnswer(
  store: UnitStore,
  request: KeyedRequest,
  idempotency: Idempotency,
): Promise<Answer> {
  const end = await request.run();
  if ('result' in end) {
    if (end.outcome === 'completed' && idempotency.stored !== undefined)
      return answerOf(200, idempotency.stored.body);
    const body = request.encode(end.result);
    await storeOutcome(store, idempotency, 200, body);
    return answerOf(200, body);
  }
  if (isKeyTaken(end.error)) throw new KeyTaken();
  const problem = request.problemOf(end);
  if (end.in === 'dispatching' || end.in === 'recovering') {
    const refused = end.error === idempotency.refusal && end.error instanceof Problem;
    if (refused && problem.status < 500 && !retryableStatuses.has(problem.status)) {
      await storeOutcome(store, idempotency, problem.status, request.refuse(problem));
    }
  }
  throw problem;
}

const answerOf = (status: number, body: string | null): Answer => ({
  status: body === null ? 204 : status,
  body,
  replayed: false,
});

async function storeOutcome(
  store: UnitStore,
  idempotency: Idempotency,
  status: number,
  body: string | null,
): Promise<void> {
  const { key, fingerprint } = idempotency;
  const outcome = { key, fingerprint, status: body === null ? 204 : status, body };
  try {
    failpoint('idempotency-before-commit');
    await store.commit({ events: [], records: [], expected: new Map(), outcome });
    failpoint('idempotency-after-commit');
  } catch (error) {
    throw isKeyTaken(error) ? new KeyTaken() : error;
  }
}

/** The lock was lost and another host committed first: its answer counts. */
async function winningAnswer(gate: IdempotencyGate, { key, fingerprint }: Idempotency): Promise<Answer> {
  const claim = await gate.claim(key, fingerprint);
  if (claim.is === 'replay') return { ...claim.outcome, replayed: true };
  if (claim.is === 'free') await claim.release();
  throw new Problem(claim.is === 'reused' ? 'idempotency-key-reused' : 'duplicate-in-flight');
}

/** A stored answer belongs to the whole scope of its caller: no caller gets the answer of another. */
function idempotencyOf({
  key,
  commandType,
  permission,
  decoded,
  context,
  encode,
}: KeyedRequest): Idempotency {
  const { tenantId, userId, organizationId, customerId, extensions } = context.scope;
  const { apiKey } = extensions;
  const isUnknown = context.caller?.guard !== undefined && userId === undefined && apiKey === undefined;
  if (isUnknown && permission !== 'public') throw new Problem('idempotency-needs-identity');
  const fingerprint = hash('sha256', JSON.stringify(decoded), 'buffer');
  // Callers without a name share an answer only when they sent the same.
  const body = isUnknown ? fingerprint.toString('hex') : undefined;
  const scope = { tenantId, userId, organizationId, customerId, apiKey, body };
  return { key: hash('sha256', JSON.stringify([scope, commandType, key]), 'buffer'), fingerprint, encode };
}

class KeyTaken extends Problem {
  constructor() {
    super('duplicate-in-flight');
  }
}

const isKeyTaken = (error: unknown): boolean =>
  error instanceof Problem && error.code === 'duplicate-in-flight';
