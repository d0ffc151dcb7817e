import {
  Command,
  CommandEndpoint,
  type Duration,
  type Int,
  type Long,
  Permission,
  Sensitive,
  type Timestamp,
  type Uuid,
} from 'svc-runtime';

export interface WebhookSecret {
  webhookId: Uuid;
  /** Shown once. */
  secret: string;
}

@CommandEndpoint<CreateWebhook, WebhookSecret>({
  restRoute: '/webhooks',
  permission: Permission.admin('webhooks'),
})
export class CreateWebhook extends Command {
  /** @maxLength 2048 */
  url!: string;
  /**
   * @minItems 1
   * @maxItems 100
   */
  types!: string[];
  ordered?: boolean;
}

@CommandEndpoint<ChangeWebhook, void>({
  restRoute: '/webhooks/change',
  permission: Permission.admin('webhooks'),
})
export class ChangeWebhook extends Command {
  webhookId!: Uuid;
  /** @maxLength 2048 */
  url!: string;
  /**
   * @minItems 1
   * @maxItems 100
   */
  types!: string[];
}

@CommandEndpoint<RotateWebhookSecret, WebhookSecret>({
  restRoute: '/webhooks/rotate-secret',
  permission: Permission.admin('webhooks'),
})
export class RotateWebhookSecret extends Command {
  webhookId!: Uuid;
  overlap?: Duration;
}

@CommandEndpoint<EnableWebhook, void>({
  restRoute: '/webhooks/enable',
  permission: Permission.admin('webhooks'),
})
export class EnableWebhook extends Command {
  webhookId!: Uuid;
}

@CommandEndpoint<DeleteWebhook, void>({
  restRoute: '/webhooks/delete',
  permission: Permission.admin('webhooks'),
})
export class DeleteWebhook extends Command {
  webhookId!: Uuid;
}

/** Sent by the commit that deletes a webhook: destroying its key cannot be undone. */
@CommandEndpoint<ForgetWebhook, void>()
export class ForgetWebhook extends Command {
  webhookId!: Uuid;
}

@CommandEndpoint<TestWebhook, void>({ restRoute: '/webhooks/test', permission: Permission.admin('webhooks') })
export class TestWebhook extends Command {
  webhookId!: Uuid;
}

@CommandEndpoint<ReplayWebhook, void>({
  restRoute: '/webhooks/replay',
  permission: Permission.admin('webhooks'),
})
export class ReplayWebhook extends Command {
  webhookId!: Uuid;
  since!: Timestamp;
  until?: Timestamp;
  onlyFailed?: boolean;
  /**
   * A long replay sends itself on, with this and what it has mapped.
   *
   * @minimum 0
   */
  after?: Long;
  /** @minimum 0 */
  mapped?: Int;
}

/** To every webhook of the tenant that asks for the type. */
@CommandEndpoint<NotifyWebhooks, void>()
export class NotifyWebhooks extends Command {
  eventId!: string;
  type!: string;
  @Sensitive() body!: string;
  key!: string;
}

@CommandEndpoint<DeliverWebhook, void>()
export class DeliverWebhook extends Command {
  webhookId!: Uuid;
  deliveryId!: Uuid;
  type!: string;
  @Sensitive() body!: string;
  lane!: Uuid;
  askedAt!: Timestamp;
}

@CommandEndpoint<DeliverWebhookInOrder, void>()
export class DeliverWebhookInOrder extends Command {
  webhookId!: Uuid;
  deliveryId!: Uuid;
  type!: string;
  @Sensitive() body!: string;
  lane!: Uuid;
  askedAt!: Timestamp;
}
