import { setTimeout as delay } from 'node:timers/promises';
import { newUuid } from '../../../contracts/uuid.js';
import { Problem } from '../../../contracts/problems.js';
import { createApiKey } from '../../../runtime/access/change-api-keys.js';
import type { Database } from '../../../runtime/database/database.js';
import { partOf } from '../../../runtime/lang/part-of.js';
import { cliEditor } from '../../cli/access-editor.js';

/** A tenant with one webhook. */
export interface Subscriber {
  readonly tenant: string;
  readonly key: string;
  readonly webhookId: string;
}

const permissions = ['loans:write', 'book:read', 'webhooks:admin'];

/** Makes a webhook of a tenant of its own for each URL. */
export async function subscribed(
  host: string,
  database: Database,
  urls: readonly string[],
): Promise<Subscriber[]> {
  const editor = cliEditor({ name: 'bench', broadcast: false });
  const keys: string[] = [];
  for (const tenantId of urls.map(tenantOf)) {
    const { key } = await createApiKey(database, editor, { name: tenantId, permissions, tenantId });
    keys.push(key);
  }
  // A host learns of new keys within two seconds; wrong ones, sent too often, would be refused unseen.
  while (!(await fetch(`${host}/webhooks`, { headers: { 'x-api-key': keys.at(-1) ?? '' } })).ok)
    await delay(500);
  const made: Subscriber[] = [];
  for (const [nth, url] of urls.entries()) {
    const key = keys[nth] ?? '';
    const { webhookId } = await sent(host, '/webhooks', key, { url, types: ['book.borrowed'] });
    made.push({ tenant: tenantOf(url, nth), key, webhookId: String(webhookId) });
  }
  return made;
}

const tenantOf = (_: unknown, nth: number): string => `t${nth}`;

/** An event that is delivered to the subscriber. */
export const happens = async (host: string, { key }: Subscriber): Promise<void> =>
  void (await sent(host, '/loans', key, { bookId: newUuid(), reader: 'Ada' }));

async function sent(
  host: string,
  path: string,
  key: string,
  body: object,
): Promise<Readonly<Record<string, unknown>>> {
  const headers = { 'content-type': 'application/json', 'x-api-key': key };
  const answer = await fetch(host + path, { method: 'POST', headers, body: JSON.stringify(body) });
  const text = await answer.text();
  // A host without time says so; what it takes later is measured from then on.
  if (answer.status === 503) return delay(250).then(() => sent(host, path, key, body));
  if (!answer.ok)
    throw new Problem('unexpected', { detail: `${path} answered with ${answer.status}: ${text}` });
  return JSON.parse(text) as Readonly<Record<string, unknown>>;
}

/** Makes so many deliveries due, to each of these subscribers in turn. */
export async function makeDue(
  database: Database,
  count: number,
  subscribers: readonly Subscriber[],
): Promise<void> {
  const lanes = subscribers.map(({ tenant, webhookId }) => `n|webhook-sending|${tenant}|${webhookId}`);
  const [webhooks, tenants] = [subscribers.map((one) => one.webhookId), subscribers.map((one) => one.tenant)];
  await database.rows({ text: dueText, values: [count, webhooks, tenants, lanes, lanes.map(partOf)] });
}

const dueText = `
  INSERT INTO svc_timers(id, part, due_at, kind, name, key, set_at, attempts, parked, data, context)
    SELECT id, ($5::int[])[w], clock_timestamp(), 'effect', 'webhook-sending', ($2::text[])[w], clock_timestamp(), 0, false,
      json_build_object('type', 'DeliverWebhook', 'body', json_build_object('webhookId', ($2::text[])[w], 'deliveryId', id,
        'type', 'book.borrowed', 'body', json_build_object('timestamp', at)::text, 'lane', id, 'askedAt', at)),
      json_build_object('correlationId', id, 'scope', json_build_object('tenantId', ($3::text[])[w]), 'lane', ($4::text[])[w])
    FROM (SELECT 1 + n % cardinality($2::text[]) AS w, gen_random_uuid() AS id,
        to_char(clock_timestamp() AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS at
      FROM generate_series(1, $1::int) n) t`;

/** What has waited for long is on disk, and the server knows how much it is: inserting it is not what is measured. */
export async function settled(database: Database): Promise<void> {
  await database.rows({ text: 'VACUUM ANALYZE svc_timers' });
  await database.rows({ text: 'CHECKPOINT' });
}

export const forgetDue = (database: Database): Promise<unknown> =>
  database.rows({ text: `DELETE FROM svc_timers WHERE kind = 'effect'` });

const longestMs = 300_000;

export async function untilArrived(arrivals: readonly unknown[], count: number): Promise<void> {
  const end = performance.now() + longestMs;
  while (arrivals.length < count) {
    if (performance.now() > end)
      throw new Problem('unexpected', { detail: `${arrivals.length} of ${count} deliveries have arrived.` });
    await delay(50);
  }
}
