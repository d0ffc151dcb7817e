import type { Timestamp, Uuid } from '../../contracts/scalars.js';

/** What one webhook gets. */
export interface WebhookRequest {
  readonly webhookId: Uuid;
  /** The header `webhook-id`: named by event and webhook, so that it is the same for every attempt and replay. */
  readonly deliveryId: Uuid;
  readonly type: string;
  readonly body: string;
  /** Of an ordered webhook. */
  readonly lane: string;
  readonly askedAt: Timestamp;
}
