import { Webhook } from 'standardwebhooks';
import type { Uuid } from '../../contracts/scalars.js';

/** A secret as Standard Webhooks writes it. */
export const secretText = (bytes: Uint8Array): string => `whsec_${Buffer.from(bytes).toString('base64')}`;

/** The headers of a delivery; during a rotation it has a signature of each secret. */
export const signedHeaders = (
  deliveryId: Uuid,
  body: string,
  secrets: readonly Uint8Array[],
  at: Date,
): Record<string, string> => ({
  'content-type': 'application/json',
  'webhook-id': deliveryId,
  'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
  'webhook-signature': secrets
    .map((secret) => new Webhook(secretText(secret)).sign(deliveryId, at, body))
    .join(' '),
});
