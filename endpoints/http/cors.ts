import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../../contracts/problems.js';
import type { CorsOptions } from '../service-definition.js';

/** What a page may read of an answer beside its body. */
const exposed = [
  'allow',
  'etag',
  'idempotency-replayed',
  'link',
  'preference-applied',
  'ratelimit',
  'ratelimit-policy',
  'retry-after',
  'svc-model',
  'traceparent',
  'x-correlation-id',
].join(', ');

const maxAgeSeconds = 600;

/** The pages of a host are for itself alone, whatever other sites may do. */
const pages = /^\/(?:console|inspect|machines|docs)(?:[/?]|$)/;

/** Answers preflights, and marks answers that a page of an allowed origin may read. */
export class Cors {
  readonly #origins: ReadonlySet<string>;
  readonly #isOpen: boolean;

  constructor(
    private readonly options: CorsOptions,
    private readonly allowed: { methodsOf(url: string): ReadonlySet<string> | undefined },
  ) {
    const { origins, credentials = false } = options;
    const wrong = origins.find((origin) => !isOrigin(origin));
    if (wrong !== undefined)
      throw new Problem('invalid-setup', { detail: `An origin in cors ${originRule}, not '${wrong}'.` });
    this.#isOpen = origins.includes('*');
    if (this.#isOpen && credentials)
      throw new Problem('invalid-setup', {
        detail:
          "cors must name its origins when it allows credentials: '*' would let every site act as its visitors.",
      });
    this.#origins = new Set(origins);
  }

  /** Returns whether the request is a preflight that may be answered. */
  answer({ method, url, headers, routeOptions }: FastifyRequest, reply: FastifyReply): boolean {
    // The router finds a route in more than one spelling of its path.
    if (pages.test(routeOptions.url ?? url)) return false;
    if (!this.#isOpen) reply.header('vary', 'Origin');
    const { origin } = headers;
    if (origin === undefined || !(this.#isOpen || this.#origins.has(origin))) return false;
    reply.header('access-control-allow-origin', this.#isOpen ? '*' : origin);
    if (this.options.credentials === true) reply.header('access-control-allow-credentials', 'true');
    if (method === 'OPTIONS' && headers['access-control-request-method'] !== undefined)
      return this.#allow(url, headers, reply);
    reply.header('access-control-expose-headers', exposed);
    return false;
  }

  #allow(url: string, headers: IncomingHttpHeaders, reply: FastifyReply): boolean {
    const methods = this.allowed.methodsOf(url);
    if (methods === undefined) return false;
    const asked = headersAskedIn(headers);
    reply.header('access-control-allow-methods', [...methods].join(', '));
    if (asked !== '') reply.header('access-control-allow-headers', asked);
    reply.header('access-control-max-age', maxAgeSeconds);
    reply.header('vary', 'Origin, Access-Control-Request-Headers');
    return true;
  }
}

/** The names as they were asked for; any other text is left out. */
export const headersAskedIn = (headers: IncomingHttpHeaders): string =>
  (headers['access-control-request-headers'] ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => /^[!#$%&'*+.^_`|~\w-]{1,100}$/.test(name))
    .slice(0, 50)
    .join(', ');

export const originRule = "must be '*' or a scheme and a host such as https://shop.example, without a path";

/** As a browser writes it: no path, no default port, in lower case. */
export function isOrigin(text: string): boolean {
  if (text === '*') return true;
  if (!/^[a-z][a-z\d+.-]*:\/\/[^/?#\s]+$/.test(text) || !URL.canParse(text)) return false;
  const { origin, protocol, host } = new URL(text);
  return text === (origin === 'null' ? `${protocol}//${host}` : origin);
}
