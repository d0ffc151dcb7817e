import type { EventStore, StoredEvent } from '../../contracts/event-store.js';
import type { ModelReader } from '../../contracts/model-query.js';
import type { Uuid } from '../../contracts/scalars.js';
import type { UnitStore } from '../../contracts/unit-store.js';
import type { Registry } from '../../endpoints/service-definition.js';
import { StoredRights } from '../../runtime/access/stored-rights.js';
import type { Database } from '../../runtime/database/database.js';
import { notify } from '../../runtime/database/notify.js';
import type { RecordedRange, WebhookHost } from '../../runtime/webhooks/webhook-host.js';
import { webhookSecret } from '../../runtime/webhooks/webhook-secret.js';
import { firstSince } from '../audit/first-since.js';
import type { Config } from '../config/config.js';
import { startSubjects, type SubjectPorts } from './subjects.js';

interface WebhookParts extends SubjectPorts {
  readonly registry: Registry;
  readonly models: ModelReader;
  /** Undefined: the host does not authenticate, and everyone may see everything. */
  readonly authentication: unknown;
}

/** Starts the keys of subjects; returns what a host lends to senders of webhooks, if its service has one. */
export async function startWebhooks(
  parts: WebhookParts,
  store: UnitStore,
  config: Config,
): Promise<WebhookHost | undefined> {
  const keys = await startSubjects(parts, store, config);
  const { registry, database, models, authentication } = parts;
  if ((registry.webhooks ?? []).length === 0 || keys === undefined) return undefined;
  const rights = new StoredRights(database);
  return {
    models,
    permits: async (owner, permission) => authentication === undefined || rights.permits(owner, permission),
    secretOf: (webhookId, generation) => webhookSecret(keys, webhookId, generation),
    forget: (webhookId) => forgetWebhook(database, webhookId),
    recorded: (range) => recorded(database, store, range),
  };
}

/** Hosts drop the key that they remember. */
async function forgetWebhook(database: Database, webhookId: Uuid): Promise<string | undefined> {
  const [row] = await database.rows({ text: 'SELECT svc_forget_webhook($1)', values: [webhookId] });
  await notify(database, 'svc_subjects');
  return row?.[0] ?? undefined;
}

/** Of all tenants; a replay that finds few of its own continues behind them. */
const readAtOnce = 5_000;

/** Positions and times rise together, so the first one is found without a look at all of them. */
async function recorded(
  database: Database,
  store: EventStore,
  { tenantId, types, since, until, after, limit }: RecordedRange,
): ReturnType<WebhookHost['recorded']> {
  const text = `SELECT ${firstSince('svc_event_stream', 'global_position', '$1')}`;
  const [[first] = []] = after > 0 ? [] : await database.rows({ text, values: [since] });
  const from = after > 0 ? after : Math.max(0, Number(first ?? 0) - 1);
  const to = Date.parse(until);
  const events: StoredEvent[] = [];
  let left = readAtOnce;
  for await (const event of store.readAll({ after: from, limit: readAtOnce, types })) {
    if (Date.parse(event.recordedAt) >= to) break;
    const tenant = event.scope?.['tenantId'] ?? undefined;
    if (event.store === undefined && tenant === tenantId) events.push(event);
    if (--left === 0 || events.length === limit) return { events, end: event.globalPosition };
  }
  return { events };
}
