import { createHash } from 'node:crypto';
import type { Identity } from '../../contracts/identity.js';
import { Problem } from '../../contracts/problems.js';
import { isThenable } from '../../runtime/thenable.js';
import type { Authentication, Identify } from './authentication.js';
import { credentialOf } from './credentials.js';
import { RateBuckets } from './rate-buckets.js';
import { networkOf, TrustedProxies } from './trusted-proxies.js';

/** A client with an expired token or two must not run into it. */
const failuresPerMinute = 30;
const maxAddresses = 10_000;
const maxAccepted = 1_000;

type Client = Parameters<TrustedProxies['addressOf']>[0];

/**
 * Limits how many wrong credentials one address may send. Past the limit its credentials are not looked at, except
 * those accepted since its first failure: who guesses must not lock out others behind the same address.
 */
export class FailedLogins {
  readonly #buckets: RateBuckets;
  readonly #accepted = new Set<string>();

  constructor(
    private readonly proxies = new TrustedProxies(),
    perMinute = failuresPerMinute,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.#buckets = new RateBuckets({ limit: perMinute, windowSeconds: 60 }, maxAddresses);
  }

  /** Why the credential is not looked at. */
  refusalOf(client: Client, credential: string): Problem | undefined {
    if (this.#buckets.size === 0) return undefined;
    const { isAllowed, retryAfter } = this.#buckets.peek(this.#keyOf(client), this.now());
    if (isAllowed || this.#accepted.has(digestOf(credential))) return undefined;
    return new Problem('rate-limited', {
      detail: 'Too many wrong credentials came from this address; try again later.',
      retryAfter: Math.max(1, retryAfter),
    });
  }

  failed(client: Client): void {
    this.#buckets.take(this.#keyOf(client), this.now());
  }

  accepted(client: Client, credential: string): void {
    if (this.#buckets.size === 0 || this.#buckets.peek(this.#keyOf(client), this.now()).reset === 0) return;
    this.#accepted.add(digestOf(credential));
    if (this.#accepted.size <= maxAccepted) return;
    for (const oldest of this.#accepted) {
      this.#accepted.delete(oldest);
      return;
    }
  }

  #keyOf(client: Client): string {
    return networkOf(this.proxies.addressOf(client));
  }
}

/** Counts the failures of an authentication. */
export const limitingFailures = (authentication: Authentication, failures: FailedLogins): Authentication => ({
  ...authentication,
  identify: countingFailures(authentication.identify, failures),
  unrecognized: (request) => {
    if (credentialOf(request.headers) !== undefined) failures.failed(request);
  },
});

function countingFailures(identify: Identify, failures: FailedLogins): Identify {
  return (request) => {
    const credential = credentialOf(request.headers);
    if (credential === undefined) return identify(request);
    const refusal = failures.refusalOf(request, credential);
    if (refusal !== undefined) throw refusal;
    const fail = (error: unknown): never => {
      if (error instanceof Problem && error.code === 'unauthenticated') failures.failed(request);
      throw error;
    };
    const succeed = (identity: Identity | null): Identity | null => {
      if (identity !== null) failures.accepted(request, credential);
      return identity;
    };
    try {
      const found = identify(request);
      return isThenable(found) ? found.then(succeed, fail) : succeed(found);
    } catch (error) {
      return fail(error);
    }
  };
}

const digestOf = (credential: string): string => createHash('sha256').update(credential).digest('base64');
