import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Identity } from '../../contracts/identity.js';
import { Problem } from '../../contracts/problems.js';
import { addHeader } from '../http/extra-headers.js';
import { type Rate, RateBuckets } from './rate-buckets.js';
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
    const key = keyOf(identity) ?? `address ${networkOf(this.proxies.addressOf(request))}`;
    const { isAllowed, remaining, retryAfter, reset } = this.#buckets.take(key, this.now());
    addHeader(reply, 'ratelimit-policy', this.#policy);
    addHeader(reply, 'ratelimit', `"default";r=${remaining};t=${reset}`);
    if (isAllowed) return undefined;
    return new Problem('rate-limited', {
      detail: 'Wait before you send more requests.',
      retryAfter: Math.max(1, retryAfter),
    });
  }
}

/** A source such as `api-key:svc_1a2b3c4d` names one credential; one such as `jwt` does not. */
function keyOf(identity: Identity | undefined): string | undefined {
  if (identity === undefined) return undefined;
  const { source, scope } = identity;
  if (scope.userId !== undefined) return `user ${scope.tenantId ?? ''} ${scope.userId}`;
  return source.includes(':') ? `source ${source}` : undefined;
}
