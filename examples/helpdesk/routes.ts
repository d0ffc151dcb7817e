import { fileURLToPath } from 'node:url';
import fastifyStatic from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { ownRoute, verifyWebhook } from 'svc-runtime';
import { scopeFrom, ticketFrom } from './received-email.js';

/** The page is served as it is written: it lies beside the build output. */
const page = fileURLToPath(new URL('../page/', import.meta.url));
/** The client of the service runs in the page as it is generated. */
const generated = fileURLToPath(new URL('../generated/', import.meta.url));
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The page of the desk, and the tickets that arrive by e-mail. */
export function routes(app: FastifyInstance): void {
  void app.register(async (scope) => {
    scope.addHook('onRoute', (route) => {
      route.config = { ...route.config, permission: 'public' };
    });
    scope.addHook('onSend', async (_request, reply) => {
      reply.header('content-security-policy', policy);
    });
    scope.get('/desk/client.js', (_, reply) => reply.sendFile('client.js', generated));
    await scope.register(fastifyStatic, { root: page, prefix: '/desk/', redirect: true });
  });
  const secret = process.env['EMAIL_WEBHOOK_SECRET'];
  if (secret !== undefined)
    app.post(
      '/webhooks/email',
      { config: { permission: 'public' } },
      verifyWebhook({
        secrets: [secret],
        toCommand: ({ payload }) => ticketFrom(payload),
        scopeOf: ({ payload }) => scopeFrom(payload),
      }),
    );
}

export interface Me {
  user: string;
  tenant?: string;
  isAgent: boolean;
}

/** Who uses the page. */
export const getMe = ownRoute<void, Me>({
  method: 'GET',
  path: '/me',
  permission: 'authenticated',
  handle: (_, { identity }) => ({
    user: identity?.scope.userId ?? 'guest',
    ...(identity?.scope.tenantId !== undefined && { tenant: identity.scope.tenantId }),
    // Without authentication everybody on this machine is an agent.
    isAgent: identity?.roles.includes('agent') ?? true,
  }),
});
