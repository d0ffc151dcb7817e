import type { FastifyReply } from 'fastify';

/** What `svc deploy` calls the build that this process runs; the configuration refuses a text that is not a name. */
const revision = /^[\w.+-]{1,128}$/.exec(process.env['SVC_REVISION'] ?? '')?.[0];

/** Sent with every answer; pages replace the content policy with their own. */
export const securityHeaders = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  ...(revision === undefined ? {} : { 'svc-revision': revision }),
} as const;

const entries = Object.entries(securityHeaders);

/** The same as names and values in turn, for answers that bypass the framework. */
export const securityHeaderList: readonly string[] = entries.flat();

/** Adds the security headers that an answer does not set itself. */
export function addSecurityHeaders(reply: FastifyReply): void {
  for (const [name, value] of entries)
    if (!reply.hasHeader(name) && !reply.raw.hasHeader(name)) reply.header(name, value);
}
