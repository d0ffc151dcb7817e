import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Identity } from '../../contracts/identity.js';
import { Problem } from '../../contracts/problems.js';
import { namesCredential } from './named-caller.js';
import { type Rate, RateBuckets, type Taken } from './rate-buckets.js';
import { networkOf, type TrustedProxies } from './trusted-proxies.js';

/** At least one of the two. */
interface Limits {
  /** Of one identity, or of one address without an identity. */
  readonly caller?: Rate | undefined;
  /** Of all callers of a tenant together. */
  readonly tenant?: Rate | undefined;
}

interface Limited {
  readonly name: 'default' | 'tenant';
  readonly taken: Taken;
}

/** Limits how often callers and tenants may send requests. */
export class RateLimit {
  readonly #callers: RateBuckets | undefined;
  readonly #tenants: RateBuckets | undefined;

  constructor(
    private readonly limits: Limits,
    private readonly proxies: TrustedProxies,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.#callers = limits.caller && new RateBuckets(limits.caller);
    this.#tenants = limits.tenant && new RateBuckets(limits.tenant);
  }

  /** Counts a request and writes on its answer what is left; returns why it is refused. */
  refusalOf(request: FastifyRequest, reply: FastifyReply, identity?: Identity): Problem | undefined {
    const taken = this.#take(request, identity);
    if (taken.length === 0) return undefined;
    reply.header('ratelimit-policy', taken.map(({ name }) => this.#policyOf(name)).join(', '));
    reply.header('ratelimit', leftOf(taken));
    return refusalFor(taken);
  }

  /** Counts more of a request that was counted already. */
  furtherRefusalOf(request: FastifyRequest, reply: FastifyReply, identity?: Identity): Problem | undefined {
    const taken = this.#take(request, identity);
    if (taken.length > 0) reply.header('ratelimit', leftOf(taken));
    return refusalFor(taken);
  }

  /** What a caller may not send takes nothing from the others of its tenant. */
  #take(request: FastifyRequest, identity: Identity | undefined): readonly Limited[] {
    const [limited, now]: [Limited[], number] = [[], this.now()];
    if (this.#callers !== undefined) {
      const key = keyOf(identity) ?? `address ${networkOf(this.proxies.addressOf(request))}`;
      limited.push({ name: 'default', taken: this.#callers.take(key, now) });
    }
    const tenant = identity?.scope.tenantId;
    if (this.#tenants === undefined || tenant === undefined) return limited;
    const mayTake = limited.every(({ taken }) => taken.isAllowed);
    const taken = mayTake ? this.#tenants.take(tenant, now) : this.#tenants.peek(tenant, now);
    return [...limited, { name: 'tenant', taken }];
  }

  #policyOf(name: Limited['name']): string {
    const { limit, windowSeconds } = this.limits[name === 'default' ? 'caller' : 'tenant'] ?? none;
    return `"${name}";q=${limit};w=${windowSeconds}`;
  }
}

const none: Rate = { limit: 0, windowSeconds: 1 };

const leftOf = (limited: readonly Limited[]): string =>
  limited.map(({ name, taken: { remaining, reset } }) => `"${name}";r=${remaining};t=${reset}`).join(', ');

function refusalFor(limited: readonly Limited[]): Problem | undefined {
  const refused = limited.filter(({ taken }) => !taken.isAllowed);
  if (refused.length === 0) return undefined;
  const isTenant = refused.some(({ name }) => name === 'tenant');
  return new Problem('rate-limited', {
    detail: isTenant ? 'Your tenant sends too many requests; wait.' : 'Wait before you send more requests.',
    retryAfter: Math.max(1, ...refused.map(({ taken }) => taken.retryAfter)),
  });
}

function keyOf(identity: Identity | undefined): string | undefined {
  if (identity === undefined) return undefined;
  const { source, scope } = identity;
  // Texts of an identity hold no control characters.
  if (scope.userId !== undefined) return `user ${scope.tenantId ?? ''}\0${scope.userId}`;
  return namesCredential(source) ? `source ${source}` : undefined;
}
