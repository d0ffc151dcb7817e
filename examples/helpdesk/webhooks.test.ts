import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Event, StoredEvent } from 'svc-runtime';
import {
  WebhookChanged,
  WebhookCreated,
  WebhookDelivered,
  WebhookNotDelivered,
  WebhookSecretRotated,
} from './webhooks/events.js';
import { type Webhook, Webhooks } from './webhooks/reads.js';

const webhookId = '018f0000-0000-7000-8000-000000000001';
const ids = { webhookId, deliveryId: webhookId, type: 'ticket.opened' };
const made = { webhookId, url: 'https://hooks.example/', types: [], owner: {} };
const day = (n: number): string => `2026-12-0${n}T00:00:00.000Z`;

/** The webhook after these events, each of its day. */
function after(...events: (readonly [number, Event])[]): Webhook | undefined {
  const perspective = new Webhooks();
  const created = WebhookCreated.of({ ...made, ordered: false, generation: webhookId });
  let row: Webhook | undefined;
  for (const [on, payload] of [[1, created] as const, ...events]) {
    const { name: messageType } = payload.constructor;
    row = perspective.apply(row, { messageType, payload, occurredAt: day(on) } as StoredEvent) ?? undefined;
  }
  return row;
}

const arrived = WebhookDelivered.of({ ...ids, code: 204, ms: 1, attempts: 1 });
const givenUp = WebhookNotDelivered.of({ ...ids, reason: 'effect-failed', askedAt: day(2) });

test('a webhook fails since the first delivery that was given up was asked for', () => {
  assert.equal(after([5, givenUp], [6, givenUp])?.failingSince, day(2));
  assert.equal(after([5, givenUp], [6, arrived])?.failingSince, undefined);
});

test('what has arrived while another delivery failed ends the time of failures', () => {
  assert.equal(after([4, arrived], [5, givenUp])?.failingSince, day(4));
});

test('another URL has not failed yet', () => {
  assert.equal(after([5, givenUp], [6, WebhookChanged.of(made)])?.failingSince, undefined);
});

const rotated = (generation: string, until: number) =>
  WebhookSecretRotated.of({ webhookId, generation, formerUntil: day(until) });

test('each former secret signs until its own time, however often the secret is rotated', () => {
  assert.deepEqual(after([2, rotated('b', 4)], [3, rotated('c', 5)])?.former, [
    { generation: webhookId, until: day(4) },
    { generation: 'b', until: day(5) },
  ]);
});

test('a rotation without an overlap ends all former secrets', () => {
  const { former = [] } = after([2, rotated('b', 5)], [3, rotated('c', 3)]) ?? {};
  assert.deepEqual(new Set(former.map(({ until }) => until)), new Set([day(3)]));
});
