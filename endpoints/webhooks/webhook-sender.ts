import type { EffectCall, Retries } from '../../contracts/effect.js';
import type { StoredEvent } from '../../contracts/event-store.js';
import { SubjectForgotten } from '../../contracts/events/subject.js';
import type { Event, MessageClass } from '../../contracts/message.js';
import type { PerspectiveClass } from '../../contracts/model-query.js';
import { Problem } from '../../contracts/problems.js';
import type { UnitOfWork } from '../../contracts/receptor.js';
import type { Duration, Timestamp, Uuid } from '../../contracts/scalars.js';
import { namedUuid } from '../../runtime/lang/named-uuid.js';
import { nowText } from '../../runtime/lang/now-text.js';
import {
  guardedFetch,
  type GuardedFetch,
  type GuardedFetchOptions,
} from '../../runtime/outbound/guarded-fetch.js';
import { millisecondsOf } from '../../runtime/timers/duration.js';
import { webhookHostOf, type WebhookOwner } from '../../runtime/webhooks/webhook-host.js';
import { attemptDelivery, type Webhook, type WebhookEnd, type WebhookRequest } from './attempt-delivery.js';
import { mappedBody } from './mapped-body.js';
import { type Published, testType } from './published.js';
import { secretText } from './sign-delivery.js';

/** How webhooks are sent; everything has a default. */
export interface WebhookSenderOptions extends GuardedFetchOptions {
  /** A delivery is tried for so long (default P3D). */
  readonly retryFor?: Duration;
  /** A webhook is disabled after nothing but failures for so long (default P5D). */
  readonly disableAfter?: Duration;
}

/** An event as it is delivered to each webhook that asks for its type. */
export interface WebhookNews {
  readonly eventId: string;
  readonly type: string;
  /** JSON; the bytes that are signed. */
  readonly body: string;
  readonly key: string;
}

/** Where a replay continues. */
export interface WebhookReplayPart {
  readonly until: Timestamp;
  /** Where the part before has ended. */
  readonly after: number;
  /** How many events were mapped until then. */
  readonly mapped: number;
}

/** What `ReplayWebhook` asks for. */
export interface WebhookReplay {
  readonly types: readonly string[];
  readonly since: Timestamp;
  /** By default the time of the first part: what is published meanwhile is delivered anyway. */
  readonly until?: Timestamp | undefined;
  readonly after?: number | undefined;
  readonly mapped?: number | undefined;
}

/** One commit sends so many. */
const replayedAtOnce = 200;
const maxReplayed = 10_000;

/** What a service publishes to webhooks, and how it is sent. */
export class WebhookSender {
  readonly events: readonly MessageClass<Event>[];
  readonly types: readonly string[];
  /** For the effects that deliver. */
  readonly retries: Retries;
  /** For the effects that deliver: longer than a call. */
  readonly timeout: Duration = 'PT30S';
  readonly #byType: ReadonlyMap<string, Published>;
  readonly #fetch: GuardedFetch;
  readonly #disableAfterMs: number;

  constructor(published: readonly Published[], options: WebhookSenderOptions = {}) {
    const { retryFor = 'P3D', disableAfter = 'P5D', ...guarded } = options;
    this.#byType = new Map(published.map((one) => [one.type, one]));
    this.types = [...this.#byType.keys()];
    this.events = [...new Set(published.map(({ event }) => event))];
    this.retries = { first: 'PT5S', most: 'PT6H', for: retryFor };
    this.#fetch = guardedFetch(guarded);
    this.#disableAfterMs = millisecondsOf(disableAfter, 'webhookSender: disableAfter', 'invalid-setup');
    if (this.types.length < published.length)
      throw new Problem('invalid-setup', { detail: 'webhookSender has one type twice; rename one.' });
  }

  /** What is published of an event, one for each of its types. */
  newsOf(event: StoredEvent): readonly WebhookNews[] {
    return [...this.#byType.values()].flatMap((published) => {
      if (published.event.name !== event.messageType) return [];
      const body = mappedBody(published, event);
      const key = published.key?.(event as never) ?? event.streamId;
      return body === undefined ? [] : [{ eventId: event.messageId, type: published.type, body, key }];
    });
  }

  /** What a webhook gets of it. */
  requestFor(webhookId: Uuid, { eventId, type, body, key }: WebhookNews): WebhookRequest {
    const deliveryId = namedUuid('webhook-delivery', webhookId, type, eventId);
    return { webhookId, deliveryId, type, body, lane: namedUuid('lane', webhookId, key), askedAt: nowText() };
  }

  /** A delivery that tests a webhook. */
  testNews(): WebhookNews {
    const at = nowText();
    const body = JSON.stringify({ type: testType, timestamp: at, data: {} });
    return { eventId: at, type: testType, body, key: '' };
  }

  /** Refuses a URL that is never called, types that are not published, and those that the owner may not see. */
  async mustAccept(
    work: UnitOfWork,
    { url, types }: { readonly url: string; readonly types: readonly string[] },
  ): Promise<void> {
    this.#fetch.mustBeCallable(url);
    const wanted = [...new Set(types)].flatMap((type) => this.#byType.get(type) ?? []);
    if (types.length === 0 || types.some((type) => !this.#byType.has(type)))
      throw new Problem('invalid-command', {
        detail: `Ask for types that are published: ${this.types.join(', ')}.`,
      });
    const host = webhookHostOf(work);
    for (const { type, permission } of wanted)
      if (!(await host.permits(this.ownerOf(work), permission)))
        throw new Problem('access-denied', {
          detail: `A webhook for ${type} needs ${permission.value} from the roles or keys of this service: what a token alone says cannot be asked again.`,
        });
  }

  /** Who asks for a webhook. */
  ownerOf({ context }: UnitOfWork): WebhookOwner {
    const { tenantId, userId, extensions } = context.scope;
    const { apiKey } = extensions;
    return {
      ...(tenantId === undefined ? {} : { tenantId }),
      ...(userId === undefined ? {} : { userId }),
      ...(apiKey === undefined ? {} : { apiKey }),
    };
  }

  /** Until when the former secret signs, too, after a rotation now. */
  overlapEnd(overlap: Duration = 'P1D'): Timestamp {
    const ms = millisecondsOf(overlap, 'overlap', 'invalid-command');
    return new Date(Date.now() + ms).toISOString();
  }

  /** The secret of a generation, which is derived and never stored. */
  async secret(work: UnitOfWork, webhookId: Uuid, generation: Uuid): Promise<string> {
    const bytes = await webhookHostOf(work).secretOf(webhookId, generation);
    if (bytes === undefined) throw new Problem('not-found', { detail: 'The webhook was deleted.' });
    return secretText(bytes);
  }

  /** Destroys the key of a deleted webhook: nobody can derive its secrets any more. Safe to repeat. */
  async forget(work: UnitOfWork, webhookId: Uuid): Promise<void> {
    const subject = await webhookHostOf(work).forget(webhookId);
    if (subject === undefined) return;
    const actor = work.context.scope.userId ?? 'webhooks';
    const reason = 'The webhook was deleted.';
    work.emit(new SubjectForgotten({ subject, actor, reason, timestamp: nowText() }));
  }

  /** Makes one attempt; what it throws is tried again. */
  deliver(
    webhooks: PerspectiveClass<Webhook>,
    request: WebhookRequest,
    call: EffectCall,
  ): Promise<WebhookEnd> {
    return attemptDelivery(request, call, {
      webhooks,
      host: webhookHostOf(call),
      fetch: this.#fetch,
      disableAfterMs: this.#disableAfterMs,
      permission: this.#byType.get(request.type)?.permission,
    });
  }

  /** The next part of what was published in a time, mapped from the log as it is mapped today. */
  async replayed(
    work: UnitOfWork,
    { types, since, until = nowText(), after = 0, mapped = 0 }: WebhookReplay,
  ): Promise<{ readonly news: readonly WebhookNews[]; readonly next: WebhookReplayPart | undefined }> {
    const names = types.flatMap((type) => this.#byType.get(type)?.event.name ?? []);
    const { tenantId } = work.context.scope;
    const range = { tenantId, types: names, since, until, after: Math.max(0, after), limit: replayedAtOnce };
    const { events, end } = await webhookHostOf(work).recorded(range);
    const news = events.flatMap((event) => this.newsOf(event)).filter(({ type }) => types.includes(type));
    const all = Math.max(0, mapped) + events.length;
    const next = end !== undefined && all < maxReplayed ? { until, after: end, mapped: all } : undefined;
    return { news, next };
  }
}

/**
 * Publishes these events to the webhooks of customers; `svc add webhooks` writes the rest.
 *
 * @example
 * ```ts
 * export const webhooks = webhookSender([
 *   published(OrderPaid, { type: 'order.paid', permission, of: ({ payload: { orderId } }) => ({ orderId }) }),
 * ]);
 * ```
 */
export const webhookSender = (events: readonly Published[], options?: WebhookSenderOptions): WebhookSender =>
  new WebhookSender(events, options);
