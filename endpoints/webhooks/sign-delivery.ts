import { createHmac } from 'node:crypto';
import type { Uuid } from '../../contracts/scalars.js';

/** A secret as Standard Webhooks writes it. */
export const secretText = (bytes: Uint8Array): string => `whsec_${Buffer.from(bytes).toString('base64')}`;

/** The headers of a delivery; during a rotation it has a signature of each secret. */
export function signedHeaders(
  deliveryId: Uuid,
  body: string,
  secrets: readonly Uint8Array[],
  at: Date,
): Record<string, string> {
  const seconds = String(Math.floor(at.getTime() / 1_000));
  const signed = `${deliveryId}.${seconds}.${body}`;
  const signature = (secret: Uint8Array): string =>
    `v1,${createHmac('sha256', secret).update(signed).digest('base64')}`;
  return {
    'content-type': 'application/json',
    'webhook-id': deliveryId,
    'webhook-timestamp': seconds,
    'webhook-signature': secrets.map(signature).join(' '),
  };
}
