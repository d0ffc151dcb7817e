import type { StoredEvent } from '../../contracts/event-store.js';
import type { ModelReader } from '../../contracts/model-query.js';
import type { Permission } from '../../contracts/permission.js';
import { Problem } from '../../contracts/problems.js';
import type { Long, Timestamp, Uuid } from '../../contracts/scalars.js';

/** Who has made a webhook; their rights are looked up, never kept. */
export interface WebhookOwner {
  readonly tenantId?: string;
  readonly userId?: string;
  /** How an API key is shown, such as `svc_1a2b3c4d`. */
  readonly apiKey?: string;
}

/** Which events are delivered again. */
export interface RecordedRange {
  readonly tenantId: string | undefined;
  readonly types: readonly string[];
  readonly since: Timestamp;
  readonly until: Timestamp;
  /** Exclusive. */
  readonly after: Long;
  readonly limit: number;
}

/** What a host lends to senders of webhooks. */
export interface WebhookHost {
  readonly models: ModelReader;
  /** 32 bytes of a webhook; undefined when its key was destroyed. */
  secretOf(webhookId: Uuid, generation: Uuid): Promise<Uint8Array | undefined>;
  /** Destroys the key of a webhook; returns how the store names it, or nothing if it never had one. */
  forget(webhookId: Uuid): Promise<string | undefined>;
  /** Whether the stores of roles and keys grant this now. */
  permits(owner: WebhookOwner, permission: Permission): Promise<boolean>;
  /** Own events of a tenant in the order of the log, and where to continue; without an end there are no more. */
  recorded(range: RecordedRange): Promise<{ readonly events: readonly StoredEvent[]; readonly end?: Long }>;
}

/** Under it, units of work and calls of effects carry their host, out of sight of applications. */
export const webhookHost = Symbol.for('svc-runtime webhook host');

export interface HasWebhookHost {
  readonly [webhookHost]?: WebhookHost | undefined;
}

export function webhookHostOf(by: object): WebhookHost {
  const host = (by as HasWebhookHost)[webhookHost];
  if (host !== undefined) return host;
  throw new Problem('invalid-setup', {
    detail:
      'Webhooks need a host whose registry lists their sender: export it as a constant, and run svc generate.',
  });
}
