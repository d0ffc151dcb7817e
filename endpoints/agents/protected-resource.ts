import type { FastifyInstance, FastifyRequest, onSendHookHandler } from 'fastify';
import { Problem } from '../../contracts/problems.js';
import type { TrustedProxies } from '../access/trusted-proxies.js';
import { correlationOf } from '../http/correlation.js';
import { sendProblem } from '../http/reply.js';

interface ProtectedResource {
  /** Who issues the tokens that the service takes. */
  readonly issuer: string | undefined;
  readonly proxies?: TrustedProxies | undefined;
}

const metadata = '/.well-known/oauth-protected-resource';

/** Says where an agent gets a token, as RFC 9728 has it: at the path of the resource, and at the root. */
export function protectedResourceRoutes(app: FastifyInstance, { issuer, proxies }: ProtectedResource): void {
  if (!isAddress(issuer)) return;
  for (const path of ['', '/mcp'])
    app.get(metadata + path, (request, reply) => {
      const origin = originOf(request, proxies);
      if (origin === undefined) {
        const detail = 'The Host header must be a name or an address.';
        return sendProblem(request, reply, correlationOf(request), new Problem('invalid-header', { detail }));
      }
      // Another name of this host would be another resource.
      reply.header('cache-control', 'no-store');
      reply.send({
        resource: `${origin}/mcp`,
        authorization_servers: [issuer],
        bearer_methods_supported: ['header'],
      });
    });
}

/** A refusal says where the metadata is: agents of 2025 need not look for it anywhere else. */
export const namesMetadata = ({ issuer, proxies }: ProtectedResource): readonly onSendHookHandler[] =>
  isAddress(issuer)
    ? [
        (request, reply, payload, done) => {
          const origin = reply.statusCode === 401 ? originOf(request, proxies) : undefined;
          if (origin !== undefined)
            reply.header('www-authenticate', `Bearer resource_metadata="${origin}${metadata}/mcp"`);
          done(null, payload);
        },
      ]
    : [];

const isAddress = (issuer: string | undefined): issuer is string => /^https?:/.test(issuer ?? '');

/** As the caller reached this host; undefined if the name could not be repeated. */
function originOf(request: FastifyRequest, proxies: TrustedProxies | undefined): string | undefined {
  const { host = '' } = request.headers;
  const scheme = proxies?.isEncrypted(request) === true ? 'https' : request.protocol;
  return /^[\w.:[\]-]{1,255}$/.test(host) ? `${scheme}://${host}` : undefined;
}
