import {
  type Int,
  isEventOf,
  Permission,
  type Perspective,
  type StoredEvent,
  type Timestamp,
  type Uuid,
} from 'svc-runtime';
import {
  WebhookChanged,
  WebhookCreated,
  WebhookDeleted,
  WebhookDelivered,
  WebhookDisabled,
  WebhookEnabled,
  WebhookNotDelivered,
  type WebhookOwner,
  WebhookSecretRotated,
} from './events.js';

interface FormerSecret {
  generation: Uuid;
  until: Timestamp;
}

/** More rotations than that at once end the oldest one early. */
const mostFormer = 5;

/** A row of `/webhooks`; the secret is derived and in no row. */
export interface Webhook {
  webhookId: Uuid;
  url: string;
  types: string[];
  ordered: boolean;
  owner: WebhookOwner;
  generation: Uuid;
  /** Older secrets that sign, too, each until its time. */
  former: FormerSecret[];
  /** Why nothing is sent. */
  disabled?: string;
  /** When a delivery arrived last. */
  deliveredAt?: Timestamp;
  /** Since then no delivery has arrived, and at least one was given up. */
  failingSince?: Timestamp;
}

export class Webhooks implements Perspective<Webhook> {
  readonly name = 'webhooks';
  readonly route = '/webhooks';
  readonly permission = Permission.admin('webhooks');
  readonly events = [
    WebhookCreated,
    WebhookChanged,
    WebhookSecretRotated,
    WebhookEnabled,
    WebhookDisabled,
    WebhookDeleted,
    WebhookDelivered,
    WebhookNotDelivered,
  ];
  readonly columns = {
    isEnabled: { type: 'boolean', of: ({ disabled }: Webhook) => disabled === undefined },
  } as const;

  apply(row: Webhook | undefined, event: StoredEvent): Webhook | null {
    if (isEventOf(event, WebhookCreated)) {
      const { webhookId, url, types, ordered, owner, generation } = event.payload;
      return { webhookId, url, types, ordered, owner, generation, former: [] };
    }
    if (row === undefined || isEventOf(event, WebhookDeleted)) return null;
    if (isEventOf(event, WebhookChanged)) {
      const { url, types, owner } = event.payload;
      // What another URL has answered says nothing about this one.
      const { failingSince: _, ...kept } = row;
      return { ...kept, url, types, owner };
    }
    if (isEventOf(event, WebhookSecretRotated)) {
      const { generation, formerUntil } = event.payload;
      const all = [...row.former, { generation: row.generation, until: formerUntil }];
      // A rotation never prolongs the time of an older secret, and may end it.
      const former = all.map((one) => ({ ...one, until: one.until < formerUntil ? one.until : formerUntil }));
      return { ...row, generation, former: former.slice(-mostFormer) };
    }
    if (isEventOf(event, WebhookDisabled)) return { ...row, disabled: event.payload.reason };
    if (isEventOf(event, WebhookNotDelivered)) {
      const { reason, askedAt } = event.payload;
      const { deliveredAt = askedAt } = row;
      const failingSince = deliveredAt > askedAt ? deliveredAt : askedAt;
      return reason === 'dropped' ? row : { failingSince, ...row };
    }
    const { failingSince: _, ...works } = row;
    if (isEventOf(event, WebhookDelivered)) return { ...works, deliveredAt: event.occurredAt };
    const { disabled: __, ...enabled } = works;
    return enabled;
  }
}

/** A row of `/webhook-deliveries`, without the body. */
export interface WebhookDelivery {
  deliveryId: Uuid;
  webhookId: Uuid;
  type: string;
  status: 'delivered' | 'failed' | 'dropped';
  code?: Int;
  reason?: string;
  attempts?: Int;
  ms?: Int;
  endedAt: Timestamp;
}

export class WebhookDeliveries implements Perspective<WebhookDelivery> {
  readonly name = 'webhook-deliveries';
  readonly route = '/webhook-deliveries';
  readonly permission = Permission.admin('webhooks');
  readonly events = [WebhookDelivered, WebhookNotDelivered];
  readonly late = 'apply';
  readonly newestFirst = true;
  readonly columns = { webhookId: 'uuid', status: 'text', type: 'text' } as const;

  key({ payload: { deliveryId } }: StoredEvent<WebhookDelivered | WebhookNotDelivered>): string {
    return deliveryId;
  }

  apply(_: WebhookDelivery | undefined, event: StoredEvent): WebhookDelivery | null {
    const { occurredAt: endedAt } = event;
    if (isEventOf(event, WebhookDelivered)) {
      const { webhookId, deliveryId, type, code, ms, attempts } = event.payload;
      return { webhookId, deliveryId, type, code, ms, attempts, status: 'delivered', endedAt };
    }
    const { webhookId, deliveryId, type, reason } = event.payload as WebhookNotDelivered;
    const status = reason === 'dropped' ? 'dropped' : 'failed';
    return { webhookId, deliveryId, type, status, reason, endedAt };
  }
}
