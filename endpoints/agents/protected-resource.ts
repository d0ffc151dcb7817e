import type { FastifyInstance } from 'fastify';
import { Problem } from '../../contracts/problems.js';
import type { TrustedProxies } from '../access/trusted-proxies.js';
import { correlationOf } from '../http/correlation.js';
import { sendProblem } from '../http/reply.js';

interface ProtectedResource {
  /** Who issues the tokens that the service takes. */
  readonly issuer: string | undefined;
  readonly proxies?: TrustedProxies | undefined;
}

/** Says where an agent gets a token, as RFC 9728 has it: at the path of the resource, and at the root. */
export function protectedResourceRoutes(app: FastifyInstance, { issuer, proxies }: ProtectedResource): void {
  if (issuer === undefined || !/^https?:/.test(issuer)) return;
  for (const path of ['', '/mcp'])
    app.get(`/.well-known/oauth-protected-resource${path}`, (request, reply) => {
      const { host = '' } = request.headers;
      if (!hostPattern.test(host)) {
        const detail = 'The Host header must be a name or an address.';
        return sendProblem(request, reply, correlationOf(request), new Problem('invalid-header', { detail }));
      }
      const scheme = proxies?.isEncrypted(request) === true ? 'https' : request.protocol;
      const resource = `${scheme}://${host}/mcp`;
      // Another name of this host would be another resource.
      reply.header('cache-control', 'no-store');
      reply.send({ resource, authorization_servers: [issuer], bearer_methods_supported: ['header'] });
    });
}

const hostPattern = /^[\w.:[\]-]{1,255}$/;
