import type { AccessOrigin } from '../../contracts/identity.js';
import { type Correlated, correlationOf } from '../http/correlation.js';
import { networkOf, TrustedProxies } from './trusted-proxies.js';

type Sent = Correlated & Parameters<TrustedProxies['addressOf']>[0];

/** Which request a guard decides about. The address is found on use: most callers are known by their identity. */
export class RequestOrigin implements AccessOrigin {
  readonly correlationId: string;
  readonly #request: Sent;
  readonly #proxies: TrustedProxies;

  constructor(request: Sent, proxies: TrustedProxies = noProxies) {
    this.correlationId = correlationOf(request).correlationId;
    this.#request = request;
    this.#proxies = proxies;
  }

  get address(): string {
    return networkOf(this.#proxies.addressOf(this.#request));
  }
}

const noProxies = new TrustedProxies();
