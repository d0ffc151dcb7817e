import { type EffectCall, TryLater } from '../../contracts/effect.js';
import type { PerspectiveClass } from '../../contracts/model-query.js';
import type { Permission } from '../../contracts/permission.js';
import { Problem } from '../../contracts/problems.js';
import type { Timestamp, Uuid } from '../../contracts/scalars.js';
import type { GuardedAnswer, GuardedFetch } from '../../runtime/outbound/guarded-fetch.js';
import type { WebhookHost, WebhookOwner } from '../../runtime/webhooks/webhook-host.js';
import { testType } from './published.js';
import { signedHeaders } from './sign-delivery.js';

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

/** What a row of the perspective of webhooks has at least. */
export interface Webhook {
  readonly url: string;
  readonly owner: WebhookOwner;
  /** Names the present secret. */
  readonly generation: Uuid;
  /** Each signs, too, until its time. */
  readonly former: readonly { readonly generation: Uuid; readonly until: Timestamp }[];
  /** Why nothing is sent. */
  readonly disabled?: string | undefined;
  /** Since then no delivery has arrived, and at least one was given up. */
  readonly failingSince?: Timestamp | undefined;
}

/** How a delivery has ended. */
export type WebhookEnd =
  | { readonly end: 'delivered'; readonly code: number; readonly ms: number }
  /** The webhook is disabled with it. */
  | { readonly end: 'failed'; readonly reason: string }
  /** Nobody was called: the webhook is disabled or deleted. */
  | { readonly end: 'dropped' };

interface DeliveryPorts {
  readonly webhooks: PerspectiveClass<Webhook>;
  readonly host: WebhookHost;
  readonly fetch: GuardedFetch;
  readonly disableAfterMs: number;
  /** Undefined: the type is not published any more. */
  readonly permission: Permission | undefined;
}

const firstLaterS = 5;
const mostLaterS = 3_600;

/** One attempt to deliver; what it throws is tried again. */
export async function attemptDelivery(
  request: WebhookRequest,
  call: EffectCall,
  ports: DeliveryPorts,
): Promise<WebhookEnd> {
  const { host, permission } = ports;
  const found = await host.models.one(ports.webhooks, request.webhookId, call.scope.tenantId);
  const webhook = found as Webhook | undefined;
  if (webhook === undefined || webhook.disabled !== undefined) return { end: 'dropped' };
  if (request.type !== testType) {
    if (permission === undefined) return { end: 'dropped' };
    if (!(await host.permits(webhook.owner, permission))) return { end: 'failed', reason: 'not-permitted' };
  }
  const from = performance.now();
  const answer = await posted(request, webhook, call, ports).catch((error: unknown) => {
    if (call.signal.aborted || !(error instanceof Problem)) throw error;
    return error;
  });
  if (answer === undefined) return { end: 'dropped' };
  const code = answer instanceof Problem ? 0 : answer.status;
  if (code >= 200 && code < 300) return { end: 'delivered', code, ms: Math.round(performance.now() - from) };
  if (code === 410) return { end: 'failed', reason: 'gone' };
  const { failingSince } = webhook;
  if (failingSince !== undefined && Date.now() - Date.parse(failingSince) >= ports.disableAfterMs)
    return { end: 'failed', reason: 'failing' };
  if (answer instanceof Problem) throw answer;
  if (answer.retryAfter !== undefined && [429, 503].includes(answer.status))
    throw await later(answer.retryAfter, call);
  throw new Problem('effect-failed', { detail: `The receiver answered with ${answer.status}.` });
}

/** Undefined: its key was destroyed. */
async function posted(
  { webhookId, deliveryId, body }: WebhookRequest,
  { url, generation, former }: Webhook,
  { signal }: EffectCall,
  { host, fetch }: DeliveryPorts,
): Promise<GuardedAnswer | undefined> {
  const at = new Date();
  const signing = former.filter(({ until }) => Date.parse(until) > at.getTime());
  const generations = [generation, ...signing.map((one) => one.generation)];
  const secrets = await Promise.all(generations.map((one) => host.secretOf(webhookId, one)));
  const known = secrets.filter((secret) => secret !== undefined);
  if (known.length < secrets.length) return undefined;
  return fetch(url, { body, headers: signedHeaders(deliveryId, body, known, at), signal });
}

/** A receiver that asks for patience again and again must not be called every second. */
async function later(askedS: number, call: EffectCall): Promise<TryLater> {
  const times = typeof call.last === 'number' ? call.last : 0;
  await call.progress(times + 1);
  return new TryLater(`PT${Math.min(mostLaterS, Math.max(askedS, firstLaterS * 2 ** times))}S`);
}
