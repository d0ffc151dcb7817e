import type { Claim, IdempotencyGate } from '../../contracts/idempotency-gate.js';
import { Problem } from '../../contracts/problems.js';
import type { StoredOutcome } from '../../contracts/unit-store.js';
import { type Backend, backendOf, endBackend } from '../database/backend.js';
import type { Database, Session } from '../database/database.js';
import { sqlFailureOf, storeUnavailable } from '../database/sql-error.js';
import { sha256 } from '../lang/sha256.js';
import { bytes } from './binary-arrays.js';

interface Pending {
  readonly key: Buffer;
  readonly fingerprint: string;
  readonly lock: string;
  resolve(claim: Claim): void;
  reject(error: unknown): void;
}

interface Found extends StoredOutcome {
  readonly fingerprint: string;
}

/**
 * Keys in flight are a set in this host and a session advisory lock across hosts: both end with their process, so a
 * kill never leaves a key stuck. Concurrent claims share their round trips. A server that is cut off from us does not
 * notice for a while that a session has ended: the next session ends it, so that we do not wait for our own lock.
 */
export class PostgresIdempotencyGate implements IdempotencyGate {
  readonly #inFlight = new Set<string>();
  #pending: Pending[] = [];
  #session: Session | undefined;
  /** The server process of the session, or of the one before. */
  #backend: Backend | undefined;
  #running: Promise<void> | undefined;
  #unlocking: Promise<void> = Promise.resolve();
  /** What the next statement unlocks. */
  #released: { readonly session: Session; readonly locks: string[] } | undefined;

  constructor(
    private readonly database: Database,
    /** Separates the locks of two stores in one database. */
    private readonly storeId: string,
  ) {}

  claim(key: Uint8Array, fingerprint: Uint8Array): Promise<Claim> {
    const bytesOfKey = Buffer.from(key);
    const name = bytesOfKey.toString('hex');
    if (this.#inFlight.has(name)) return Promise.resolve({ is: 'in-flight' });
    this.#inFlight.add(name);
    return new Promise<Claim>((resolve, reject) => {
      const lock = lockOf(this.storeId, name);
      this.#pending.push({
        key: bytesOfKey,
        fingerprint: Buffer.from(fingerprint).toString('hex'),
        lock,
        resolve,
        reject,
      });
      this.#running ??= this.#run();
    }).then(
      (claim) => {
        if (claim.is !== 'free') this.#inFlight.delete(name);
        return claim;
      },
      (error: unknown) => {
        this.#inFlight.delete(name);
        throw error;
      },
    );
  }

  async close(): Promise<void> {
    await this.#running;
    await this.#unlocking;
    this.#forget(this.#session);
  }

  async #run(): Promise<void> {
    while (this.#pending.length > 0) {
      const batch = this.#pending.splice(0, 256);
      try {
        await this.#decideAgain(batch);
      } catch (error) {
        const problem = error instanceof Problem ? error : storeUnavailable(error);
        for (const pending of batch) pending.reject(problem);
      }
    }
    this.#running = undefined;
  }

  /** A session that was lost since the last claims decided nothing about these: they are tried again in a new one. */
  async #decideAgain(batch: readonly Pending[]): Promise<void> {
    const old = this.#session;
    try {
      await this.#decide(batch);
    } catch (error) {
      this.#forget(this.#session);
      if (old === undefined) throw error;
      await this.#decideAgain(batch);
    }
  }

  async #decide(batch: readonly Pending[]): Promise<void> {
    const session = this.#session ?? (await this.#open());
    // The lock first: then the lookup sees what its last holder committed.
    const locked = await session.rows({
      name: 'svc_claim',
      text: 'SELECT pg_try_advisory_lock(k) FROM unnest($1::bigint[]) k',
      values: [batch.map((pending) => pending.lock)],
    });
    const found = await this.#lookUp(session, batch);
    // A visible row may still be on one disk only: a replay waits for the standby as its commit did.
    if (found.size > 0) await session.rows(barrier);
    const superfluous: string[] = [];
    batch.forEach((pending, index) => {
      const isLocked = locked[index]?.[0] === 't';
      const outcome = found.get(pending.key.toString('hex'));
      if (isLocked && outcome !== undefined) superfluous.push(pending.lock);
      pending.resolve(this.#claimOf(pending, isLocked ? session : undefined, outcome));
    });
    if (superfluous.length > 0)
      await unlock(session, superfluous).catch(() => {
        this.#forget(session);
      });
  }

  async #open(): Promise<Session> {
    const session = await this.database.session();
    this.#session = session;
    if (this.#backend !== undefined) await endBackend(session, this.#backend).catch(mustNotBeLost);
    this.#backend = await backendOf(session);
    return session;
  }

  #forget(session: Session | undefined): void {
    if (session === undefined || session !== this.#session) return;
    this.#session = undefined;
    session.release(true);
  }

  async #lookUp(session: Session, batch: readonly Pending[]): Promise<Map<string, Found>> {
    const rows = await session.rows({
      name: 'svc_outcomes',
      text: `SELECT encode(key, 'hex'), encode(fingerprint, 'hex'), status, body FROM svc_idempotency
        WHERE key = ANY($1::bytea[]) AND expires_at > clock_timestamp()`,
      values: [bytes(batch.map((pending) => pending.key))],
    });
    return new Map(
      rows.map(([key, fingerprint, status, body]) => [
        key ?? '',
        { fingerprint: fingerprint ?? '', status: Number(status), body: body ?? null },
      ]),
    );
  }

  #claimOf(pending: Pending, session: Session | undefined, outcome: Found | undefined): Claim {
    if (outcome !== undefined) {
      return outcome.fingerprint === pending.fingerprint ? { is: 'replay', outcome } : { is: 'reused' };
    }
    if (session === undefined) return { is: 'in-flight' };
    return {
      is: 'free',
      release: () => {
        this.#inFlight.delete(pending.key.toString('hex'));
        return this.#release(session, pending.lock);
      },
    };
  }

  /** Keys that are released while a statement is on its way share the next one. */
  #release(session: Session, lock: string): Promise<void> {
    if (this.#released?.session !== session) {
      const released = (this.#released = { session, locks: [] as string[] });
      this.#unlocking = this.#unlocking.then(async () => {
        if (this.#released === released) this.#released = undefined;
        await unlock(session, released.locks).catch(() => this.#forget(session));
      });
    }
    this.#released.locks.push(lock);
    return this.#unlocking;
  }
}

/** A server that does not let us end a session will notice its end by itself. */
function mustNotBeLost(error: unknown): void {
  if (sqlFailureOf(error) === 'lost') throw error;
}

const barrier = {
  name: 'svc_barrier',
  text: "SELECT pg_logical_emit_message(true, 'svc', '')",
  isAcknowledged: true,
};

const unlock = (session: Session, locks: readonly string[]): Promise<unknown> =>
  session.rows({
    name: 'svc_unlock',
    text: 'SELECT pg_advisory_unlock(k) FROM unnest($1::bigint[]) k',
    values: [locks],
  });

const lockOf = (storeId: string, key: string): string =>
  sha256(storeId + key)
    .readBigInt64BE(0)
    .toString();
