import type { FastifyReply, FastifyRequest } from 'fastify';
import { Webhook } from 'standardwebhooks';
import { identityFrom } from '../../contracts/identity.js';
import type { Command } from '../../contracts/message.js';
import type { PerspectiveScope } from '../../contracts/perspective-scope.js';
import { Problem } from '../../contracts/problems.js';
import { withoutToken } from '../http/redact-url-credentials.js';
import { ownRequestOf } from '../own-routes/own-request-hooks.js';
import { deliveryHeadersIn } from './delivery-headers.js';

/** A delivery whose signature is valid. */
export interface Delivery {
  /** The same for every attempt to deliver it. */
  readonly id: string;
  /** The body. The signature proves who sent it, not that it has the form you expect. */
  readonly payload: unknown;
}

export interface WebhookOptions {
  /** The secrets that the sender may sign with, such as `whsec_…`; more than one during a rotation. */
  readonly secrets: readonly (string | undefined)[];
  /** The command of a delivery; undefined ignores the delivery. */
  readonly toCommand: (delivery: Delivery) => Command | undefined | Promise<Command | undefined>;
  /** Whose data the command acts on, such as a tenant. */
  readonly scopeOf?: (delivery: Delivery) => Partial<PerspectiveScope>;
}

/**
 * The handler of an own route that takes signed deliveries (standardwebhooks.com). Each becomes one command, however often it is delivered. The service itself sends the command, so no permission is needed.
 *
 * @example
 * ```ts
 * const paid = verifyWebhook({ secrets: [secret], toCommand: ({ payload }) => paymentFrom(payload) });
 * app.post('/webhooks/payments', { config: { permission: 'public' } }, paid);
 * ```
 */
export function verifyWebhook({ secrets, toCommand, scopeOf }: WebhookOptions) {
  const verifiers = secrets.filter((secret) => secret !== undefined).map(verifierOf);
  if (verifiers.length === 0) throw invalidSecret('needs a secret');
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { correlation, cancellation, send } = ownRequestOf(request);
    const text = request.rawBody?.toString('utf8');
    if (text === undefined) throw new Problem('malformed-request', { detail: 'Send a JSON body.' });
    const signed = deliveryHeadersIn(request.headers);
    mustBeSigned(verifiers, text, signed);
    const delivery = { id: signed['webhook-id'], payload: request.body };
    const command = await toCommand(delivery);
    if (command !== undefined) {
      // A tenant from a payload is checked as one from a token is.
      const { scope } = identityFrom({ source: 'webhook', scope: scopeOf?.(delivery) });
      const key = `${request.routeOptions.url ?? ''} ${delivery.id}`;
      const once = { key, instance: withoutToken(request.url), sent: text };
      await send({ command, correlation, cancellation, scope, once });
    }
    return reply.code(204).send();
  };
}

function verifierOf(secret: string): Webhook {
  try {
    return new Webhook(secret);
  } catch {
    throw invalidSecret('has a secret that is empty or not base64');
  }
}

const invalidSecret = (what: string): Problem =>
  new Problem('invalid-setup', {
    detail: `verifyWebhook ${what}: give it the secrets of the sender, such as whsec_…`,
  });

function mustBeSigned(verifiers: readonly Webhook[], text: string, headers: Record<string, string>): void {
  let cause: unknown;
  for (const verifier of verifiers) {
    try {
      verifier.verify(text, headers, { jsonParse: false });
      return;
    } catch (error) {
      cause = error;
    }
  }
  const isLate = cause instanceof Error && cause.message.includes('timestamp');
  throw new Problem('unauthenticated', {
    title: 'The delivery cannot be trusted',
    detail: isLate
      ? 'The webhook-timestamp is more than five minutes away from the clock of this host.'
      : 'The signature is not valid.',
  });
}
