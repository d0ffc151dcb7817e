import { newUuid, Problem, type Receptor, type UnitOfWork, type Uuid } from 'svc-runtime';
import {
  type ChangeWebhook,
  type CreateWebhook,
  type DeleteWebhook,
  DeliverWebhook,
  DeliverWebhookInOrder,
  type EnableWebhook,
  ForgetWebhook,
  type NotifyWebhooks,
  ReplayWebhook,
  type RotateWebhookSecret,
  type TestWebhook,
  type WebhookSecret,
} from './commands.js';
import {
  WebhookChanged,
  WebhookCreated,
  WebhookDeleted,
  WebhookEnabled,
  WebhookSecretRotated,
} from './events.js';
import { type Webhook, WebhookDeliveries, Webhooks } from './reads.js';
import { webhooks } from './sender.js';

const mostWebhooks = 100;

export class CreateWebhookReceptor implements Receptor<CreateWebhook, WebhookSecret> {
  async handle({ url, types, ordered = false }: CreateWebhook, work: UnitOfWork): Promise<WebhookSecret> {
    await webhooks.mustAccept(work, { url, types });
    if ((await work.models(Webhooks, { limit: mostWebhooks })).length === mostWebhooks)
      throw new Problem('too-many-webhooks', { status: 409, title: 'There are 100 webhooks already' });
    const [webhookId, generation] = [newUuid(), newUuid()];
    const owner = webhooks.ownerOf(work);
    work.append(webhookId, WebhookCreated.of({ webhookId, url, types, ordered, owner, generation }));
    return { webhookId, secret: await webhooks.secret(work, webhookId, generation) };
  }
}

export class ChangeWebhookReceptor implements Receptor<ChangeWebhook, void> {
  async handle({ webhookId, url, types }: ChangeWebhook, work: UnitOfWork): Promise<void> {
    await webhookOf(webhookId, work);
    await webhooks.mustAccept(work, { url, types });
    const owner = webhooks.ownerOf(work);
    work.append(webhookId, WebhookChanged.of({ webhookId, url, types, owner }));
  }
}

export class RotateWebhookSecretReceptor implements Receptor<RotateWebhookSecret, WebhookSecret> {
  async handle({ webhookId, overlap }: RotateWebhookSecret, work: UnitOfWork): Promise<WebhookSecret> {
    await webhookOf(webhookId, work);
    const generation = newUuid();
    const formerUntil = webhooks.overlapEnd(overlap);
    work.append(webhookId, WebhookSecretRotated.of({ webhookId, generation, formerUntil }));
    return { webhookId, secret: await webhooks.secret(work, webhookId, generation) };
  }
}

export class EnableWebhookReceptor implements Receptor<EnableWebhook, void> {
  async handle({ webhookId }: EnableWebhook, work: UnitOfWork): Promise<void> {
    await webhookOf(webhookId, work);
    work.append(webhookId, WebhookEnabled.of({ webhookId }));
  }
}

export class DeleteWebhookReceptor implements Receptor<DeleteWebhook, void> {
  async handle({ webhookId }: DeleteWebhook, work: UnitOfWork): Promise<void> {
    await webhookOf(webhookId, work);
    work.append(webhookId, WebhookDeleted.of({ webhookId }));
    work.send(ForgetWebhook.of({ webhookId }));
  }
}

export class ForgetWebhookReceptor implements Receptor<ForgetWebhook, void> {
  handle({ webhookId }: ForgetWebhook, work: UnitOfWork): Promise<void> {
    return webhooks.forget(work, webhookId);
  }
}

export class TestWebhookReceptor implements Receptor<TestWebhook, void> {
  async handle({ webhookId }: TestWebhook, work: UnitOfWork): Promise<void> {
    send(await webhookOf(webhookId, work), webhooks.testNews(), work);
  }
}

/** Each part sends the next one, by a timer that begins a new chain; a delivery has the id that it had before. */
export class ReplayWebhookReceptor implements Receptor<ReplayWebhook, void> {
  async handle(
    { webhookId, since, onlyFailed = false, until, after, mapped }: ReplayWebhook,
    work: UnitOfWork,
  ): Promise<void> {
    const webhook = await webhookOf(webhookId, work);
    const { types } = webhook;
    const { news, next } = await webhooks.replayed(work, { types, since, until, after, mapped });
    for (const one of news) {
      const { deliveryId } = webhooks.requestFor(webhookId, one);
      const before = onlyFailed ? await work.model(WebhookDeliveries, deliveryId) : undefined;
      if (!onlyFailed || (before !== undefined && before.status !== 'delivered')) send(webhook, one, work);
    }
    if (next !== undefined)
      work.send(ReplayWebhook.of({ webhookId, since, onlyFailed, ...next }), { in: 'PT1S' });
  }
}

export class NotifyWebhooksReceptor implements Receptor<NotifyWebhooks, void> {
  async handle(news: NotifyWebhooks, work: UnitOfWork): Promise<void> {
    const asking = await work.models(Webhooks, { filter: { isEnabled: true }, limit: mostWebhooks });
    for (const webhook of asking) if (webhook.types.includes(news.type)) send(webhook, news, work);
  }
}

type News = Parameters<typeof webhooks.requestFor>[1];

function send(webhook: Webhook, news: News, work: UnitOfWork): void {
  const request = webhooks.requestFor(webhook.webhookId, news);
  work.send(webhook.ordered ? DeliverWebhookInOrder.of(request) : DeliverWebhook.of(request));
}

/** That of another tenant does not exist. */
async function webhookOf(webhookId: Uuid, work: UnitOfWork): Promise<Webhook> {
  const webhook = await work.model(Webhooks, webhookId);
  if (webhook === undefined)
    throw new Problem('webhook-not-found', { status: 404, title: 'There is no such webhook' });
  return webhook;
}
