import type { FastifyReply } from 'fastify';
import { version } from '../runtime/lang/version.js';

/** What `svc deploy` calls the build that this process runs; the configuration refuses a text that is not a name. */
const revision = revisionIn(process.env['SVC_REVISION']);

const headers = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'svc-revision': revision ?? version,
};

/** Sent with every answer; pages replace the content policy with their own. */
export const securityHeaders: Readonly<typeof headers> = headers;

const names = Object.keys(headers) as (keyof typeof headers)[];

/** Adds the security headers that an answer does not set itself. */
export function addSecurityHeaders(reply: FastifyReply): void {
  for (const name of names) if (!reply.hasHeader(name)) reply.header(name, headers[name]);
}

/** Names what this process serves by the version of its service, unless `svc deploy` has named it. */
export function nameRevision(own: string | undefined): void {
  headers['svc-revision'] = revision ?? revisionIn(own) ?? version;
}

function revisionIn(text: string | undefined): string | undefined {
  return /^[\w.+-]{1,128}$/.exec(text ?? '')?.[0];
}
