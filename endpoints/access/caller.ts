import { hash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { AccessOrigin, RequestHeaders, RequiredPermission } from '../../contracts/identity.js';
import type { AccessGuard } from '../../runtime/access/access-guard.js';
import type { Caller } from '../../runtime/request/request-context.js';
import { namesCaller } from './named-caller.js';
import { networkOf, TrustedProxies } from './trusted-proxies.js';

/** Headers that hold credentials: no hook, trace or log may see them. */
const credentialHeaders = ['authorization', 'proxy-authorization', 'cookie', 'x-api-key'];

/** Who sent a request, for its hooks and its receptor. */
export function callersOf(
  guard: AccessGuard | undefined,
  hiddenHeaders: readonly string[] = [],
  proxies = new TrustedProxies(),
): (request: FastifyRequest) => Caller {
  const hidden = new Set([...credentialHeaders, ...hiddenHeaders.map((name) => name.toLowerCase())]);
  return (request) => new RequestCaller(request, guard, hidden, proxies);
}

const longestSender = 80;
const digestLength = 32;

/** Most hooks never look at the headers: they are copied on first use. */
class RequestCaller implements Caller {
  #headers: RequestHeaders | undefined;

  constructor(
    private readonly request: FastifyRequest,
    readonly guard: AccessGuard | undefined,
    private readonly hidden: ReadonlySet<string>,
    private readonly proxies: TrustedProxies,
  ) {}

  get identity() {
    return this.request.identity;
  }

  get sender(): string {
    const { identity } = this.request;
    if (identity === undefined) return this.#network;
    const { source, scope } = identity;
    const { tenantId, userId, organizationId, customerId } = scope;
    const network = namesCaller(identity) ? undefined : this.#network;
    return shortened(JSON.stringify({ source, tenantId, userId, organizationId, customerId, network }));
  }

  get #network(): string {
    return networkOf(this.proxies.addressOf(this.request));
  }

  get headers(): RequestHeaders {
    return (this.#headers ??= Object.freeze(
      Object.fromEntries(Object.entries(this.request.headers).filter(([name]) => !this.hidden.has(name))),
    ));
  }
}

/** Two long texts that begin alike stay two. */
const shortened = (text: string): string =>
  text.length <= longestSender
    ? text
    : `${text.slice(0, longestSender - digestLength)}${hash('sha256', text).slice(0, digestLength)}`;

/** Throws the refusal of a caller who may not send this command. Without a caller the service itself sends it. */
export function mustBePermitted(
  caller: Caller | undefined,
  required: RequiredPermission,
  type: string,
  origin: AccessOrigin,
): void {
  const refusal = caller?.guard?.refusalOf(caller.identity, required, { type }, undefined, origin);
  if (refusal !== undefined) throw refusal;
}
