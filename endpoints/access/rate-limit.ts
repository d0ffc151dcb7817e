import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Identity } from '../../contracts/identity.js';
import { Problem } from '../../contracts/problems.js';
import { addHeader } from '../http/reply.js';
import { namesCredential } from './named-caller.js';
import { type Rate, RateBuckets, type Taken } from './rate-buckets.js';
import { networkOf, type TrustedProxies } from './trusted-proxies.js';

/** Limits how often one identity, or one address without an identity, may send requests. */
export class RateLimit {
  readonly #buckets: RateBuckets;
  readonly #policy: string;

  constructor(
    { limit, windowSeconds }: Rate,
    private readonly proxies: TrustedProxies,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.#buckets = new RateBuckets({ limit, windowSeconds });
    this.#policy = `"default";q=${limit};w=${windowSeconds}`;
  }

  /** Counts a request and writes on its answer what is left; returns why it is refused. */
  refusalOf(request: FastifyRequest, reply: FastifyReply, identity?: Identity): Problem | undefined {
    const taken = this.#take(request, identity);
    addHeader(reply, 'ratelimit-policy', this.#policy);
    addHeader(reply, 'ratelimit', leftOf(taken));
    return refusalFor(taken);
  }

  /** Counts more of a request that was counted already. */
  furtherRefusalOf(request: FastifyRequest, reply: FastifyReply, identity?: Identity): Problem | undefined {
    const taken = this.#take(request, identity);
    reply.header('ratelimit', leftOf(taken));
    return refusalFor(taken);
  }

  #take(request: FastifyRequest, identity: Identity | undefined): Taken {
    const key = keyOf(identity) ?? `address ${networkOf(this.proxies.addressOf(request))}`;
    return this.#buckets.take(key, this.now());
  }
}

const leftOf = ({ remaining, reset }: Taken): string => `"default";r=${remaining};t=${reset}`;

function refusalFor({ isAllowed, retryAfter }: Taken): Problem | undefined {
  if (isAllowed) return undefined;
  return new Problem('rate-limited', {
    detail: 'Wait before you send more requests.',
    retryAfter: Math.max(1, retryAfter),
  });
}

function keyOf(identity: Identity | undefined): string | undefined {
  if (identity === undefined) return undefined;
  const { source, scope } = identity;
  // Texts of an identity hold no control characters.
  if (scope.userId !== undefined) return `user ${scope.tenantId ?? ''}\0${scope.userId}`;
  return namesCredential(source) ? `source ${source}` : undefined;
}
