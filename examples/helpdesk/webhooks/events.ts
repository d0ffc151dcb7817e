import { AuditEvent, Event, type Int, type Timestamp, type Uuid } from 'svc-runtime';

/** Their rights are looked up at each delivery. */
export interface WebhookOwner {
  tenantId?: string;
  userId?: string;
  apiKey?: string;
}

export class WebhookCreated extends Event {
  webhookId!: Uuid;
  url!: string;
  types!: string[];
  ordered!: boolean;
  owner!: WebhookOwner;
  generation!: Uuid;
}

export class WebhookChanged extends Event {
  webhookId!: Uuid;
  url!: string;
  types!: string[];
  /** Who has changed it: from then on, their rights count. */
  owner!: WebhookOwner;
}

export class WebhookSecretRotated extends Event {
  webhookId!: Uuid;
  generation!: Uuid;
  /** Until then, deliveries are signed with the former secret, too. */
  formerUntil!: Timestamp;
}

export class WebhookEnabled extends Event {
  webhookId!: Uuid;
}

export class WebhookDisabled extends Event {
  webhookId!: Uuid;
  reason!: string;
}

export class WebhookDeleted extends Event {
  webhookId!: Uuid;
}

/** The log of deliveries: many, so they are not audited. */
@AuditEvent({ exclude: true })
export class WebhookDelivered extends Event {
  webhookId!: Uuid;
  deliveryId!: Uuid;
  type!: string;
  code!: Int;
  ms!: Int;
  attempts!: Int;
}

export class WebhookNotDelivered extends Event {
  webhookId!: Uuid;
  deliveryId!: Uuid;
  type!: string;
  /** `dropped`: the webhook was disabled or deleted, and nobody was called. */
  reason!: string;
  askedAt!: Timestamp;
}
