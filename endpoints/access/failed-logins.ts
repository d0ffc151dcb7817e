import { createHash } from 'node:crypto';
import type { Identity } from '../../contracts/identity.js';
import { Problem } from '../../contracts/problems.js';
import { refusalReasonOf } from '../../runtime/access/access-guard.js';
import { log } from '../../runtime/logging/log.js';
import { isThenable } from '../../runtime/lang/thenable.js';
import { correlationOf } from '../http/correlation.js';
import {
  type Authentication,
  type Identifiable,
  type Identify,
  isUnauthenticated,
} from './authentication.js';
import { credentialOf } from './credentials.js';
import { RateBuckets } from './rate-buckets.js';
import { networkOf, TrustedProxies } from './trusted-proxies.js';

/** Per minute: ten guesses, or thirty requests with the same wrong credential, as a client sends whose token expired. */
const allowed = { limit: 30, windowSeconds: 60 };
const guessCosts = 3;
const maxAddresses = 10_000;
const maxCredentials = 1_000;

/** One line a minute names an address that continues. */
const logged = { limit: 1, windowSeconds: 60 };

/**
 * Limits how many wrong credentials one address may send. Past the limit its credentials are not looked at, except
 * those accepted since its first failure: who guesses must not lock out others behind the same address.
 */
export class FailedLogins {
  readonly #buckets = new RateBuckets(allowed, maxAddresses);
  readonly #logged = new RateBuckets(logged, maxAddresses);
  readonly #accepted = new Set<string>();
  readonly #wrong = new Set<string>();

  constructor(
    private readonly proxies = new TrustedProxies(),
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Whether nothing failed lately: no credential is looked at here then. */
  get isEmpty(): boolean {
    return this.#buckets.size === 0;
  }

  /** Why the credential is not looked at. */
  refusalOf(client: Identifiable, credential: string): Problem | undefined {
    if (this.isEmpty) return undefined;
    const { isAllowed, retryAfter } = this.#buckets.peek(this.#keyOf(client), this.now());
    if (isAllowed || this.#accepted.has(digestOf(credential))) return undefined;
    return new Problem('rate-limited', {
      detail: 'Too many wrong credentials came from this address; try again later.',
      retryAfter: Math.max(1, retryAfter),
    });
  }

  failed(client: Identifiable, credential: string, reason?: string): void {
    const digest = digestOf(credential);
    this.#buckets.charge(this.#keyOf(client), this.now(), this.#wrong.has(digest) ? 1 : guessCosts);
    remember(this.#wrong, digest);
    this.note(client, reason);
  }

  /** Logs an address, once a minute, with the reason for the first refusal. */
  note(client: Identifiable, reason?: string): void {
    const address = this.#keyOf(client);
    if (!this.#logged.take(address, this.now()).isAllowed) return;
    const { method, url } = client;
    const { correlationId } = correlationOf(client);
    log.warn(
      { address, method, path: url.split('?', 1)[0], correlationId, reason },
      'wrong credentials were refused',
    );
  }

  accepted(client: Identifiable, credential: string): void {
    if (this.isEmpty || this.#buckets.peek(this.#keyOf(client), this.now()).reset === 0) return;
    remember(this.#accepted, digestOf(credential));
  }

  #keyOf(client: Identifiable): string {
    return networkOf(this.proxies.addressOf(client));
  }
}

/** Forgets the oldest of too many. */
function remember(digests: Set<string>, digest: string): void {
  digests.delete(digest);
  digests.add(digest);
  if (digests.size <= maxCredentials) return;
  for (const oldest of digests) {
    digests.delete(oldest);
    return;
  }
}

const notRecognized = 'This host does not take credentials of this kind.';

/**
 * Counts the failures of an authentication. Signed credentials are checked past the limit, too: nobody can guess a
 * signature, and a token that was renewed must not be locked out by what others send.
 */
export function limitingFailures(
  authentication: Authentication,
  failures: FailedLogins,
  isSigned: (credential: string) => boolean = () => false,
): Authentication {
  const refused = (request: Identifiable, reason: string | undefined): void => {
    const credential = credentialOf(request.headers);
    if (credential !== undefined) failures.failed(request, credential, reason);
    // An authenticator of the service may find credentials elsewhere, such as in a cookie.
    else if (reason !== notRecognized) failures.note(request, reason);
  };
  const fail = (request: Identifiable, error: unknown): never => {
    if (isUnauthenticated(error)) refused(request, refusalReasonOf(error));
    throw error;
  };
  const succeed = (request: Identifiable, identity: Identity | null): Identity | null => {
    const credential = identity === null || failures.isEmpty ? undefined : credentialOf(request.headers);
    if (credential !== undefined) failures.accepted(request, credential);
    return identity;
  };
  const identify: Identify = (request) => {
    const credential = failures.isEmpty ? undefined : credentialOf(request.headers);
    const limited = credential === undefined ? undefined : failures.refusalOf(request, credential);
    if (limited !== undefined && !isSigned(credential ?? '')) throw limited;
    const failed = (error: unknown) => {
      if (limited !== undefined) throw limited;
      return fail(request, error);
    };
    try {
      const found = authentication.identify(request);
      return isThenable(found)
        ? found.then((identity) => succeed(request, identity), failed)
        : succeed(request, found);
    } catch (error) {
      return failed(error);
    }
  };
  const unrecognized = (request: Identifiable): void => refused(request, notRecognized);
  return { ...authentication, identify, identifyAgain: authentication.identify, unrecognized };
}

const digestOf = (credential: string): string => createHash('sha256').update(credential).digest('base64');
