import type { Effect, EffectCall, Event, Problem, Reaction, StoredEvent } from 'svc-runtime';
import { type DeliverWebhook, type DeliverWebhookInOrder, NotifyWebhooks } from './commands.js';
import { WebhookDelivered, WebhookDisabled, WebhookNotDelivered } from './events.js';
import { Webhooks } from './reads.js';
import { webhooks } from './sender.js';

/** It may run again for the same event: it maps, and nothing else. */
export class PublishWebhooks implements Reaction {
  readonly name = 'publish-webhooks';
  readonly events = webhooks.events;
  readonly after = ['webhooks'];
  react = (event: StoredEvent) => webhooks.newsOf(event).map((news) => NotifyWebhooks.of(news));
}

/** Four at once to each webhook, in any order. */
export class WebhookSending implements Effect<DeliverWebhook, Event> {
  readonly name = 'webhook-sending';
  readonly timeout = webhooks.timeout;
  readonly retries = webhooks.retries;
  readonly perLane = 4;
  lane = ({ webhookId }: DeliverWebhook) => webhookId;
  stream = ({ webhookId }: DeliverWebhook) => webhookId;
  call = (request: DeliverWebhook, call: EffectCall) => deliver(request, call);
  failed = (request: DeliverWebhook, { code }: Problem) => notDelivered(request, code);
}

/** One after another for each key: a failing one holds those behind it. */
export class OrderedWebhookSending implements Effect<DeliverWebhookInOrder, Event> {
  readonly name = 'ordered-webhook-sending';
  readonly timeout = webhooks.timeout;
  readonly retries = webhooks.retries;
  readonly perLane = 1;
  lane = ({ lane }: DeliverWebhookInOrder) => lane;
  stream = ({ webhookId }: DeliverWebhookInOrder) => webhookId;
  call = (request: DeliverWebhookInOrder, call: EffectCall) => deliver(request, call);
  failed = (request: DeliverWebhookInOrder, { code }: Problem) => notDelivered(request, code);
}

async function deliver(request: DeliverWebhook | DeliverWebhookInOrder, call: EffectCall): Promise<Event[]> {
  const { webhookId, deliveryId, type } = request;
  const ended = await webhooks.deliver(Webhooks, request, call);
  if (ended.end === 'dropped') return [notDelivered(request, 'dropped')];
  if (ended.end === 'failed')
    return [notDelivered(request, ended.reason), WebhookDisabled.of({ webhookId, reason: ended.reason })];
  const { code, ms } = ended;
  return [WebhookDelivered.of({ webhookId, deliveryId, type, code, ms, attempts: call.attempt })];
}

const notDelivered = (
  { webhookId, deliveryId, type, askedAt }: DeliverWebhook | DeliverWebhookInOrder,
  reason: string,
) => WebhookNotDelivered.of({ webhookId, deliveryId, type, reason, askedAt });
