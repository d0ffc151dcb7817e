import { isPermitted } from '../../contracts/identity.js';
import { isPermissionText, type Permission } from '../../contracts/permission.js';
import { identityFrom } from '../../contracts/identity.js';
import type { WebhookOwner } from '../webhooks/webhook-host.js';
import { prefixOf } from './api-key.js';
import { readValidApiKeys, type ValidApiKey } from './api-key-store.js';
import { KnownRoles } from './known-roles.js';
import { readRoles } from './read-stored-roles.js';

type Reader = Parameters<typeof readRoles>[0] & Parameters<typeof readValidApiKeys>[0];

const maxAgeMs = 1_000;

/** What the stores of roles and keys grant now, a second old at most. */
export class StoredRights {
  readonly #roles: KnownRoles;
  #keys: ReadonlyMap<string, ValidApiKey> = new Map();
  #read: Promise<void> | undefined;
  #readAt = -Infinity;

  constructor(private readonly database: Reader) {
    this.#roles = new KnownRoles((version) => readRoles(database, version));
  }

  async permits({ tenantId, userId, apiKey }: WebhookOwner, permission: Permission): Promise<boolean> {
    await this.#fresh();
    const key = apiKey === undefined ? undefined : this.#keys.get(apiKey);
    if (apiKey !== undefined && (key === undefined || key.tenantId !== tenantId)) return false;
    const scope = {
      ...(tenantId === undefined ? {} : { tenantId }),
      ...(userId === undefined ? {} : { userId }),
    };
    const permissions = (key?.permissions ?? []).filter(isPermissionText);
    return isPermitted(
      this.#roles.complete(identityFrom({ source: 'webhook', scope, permissions })),
      permission,
    );
  }

  /** All that ask at once share one look. */
  #fresh(): Promise<void> {
    if (this.#read === undefined || performance.now() - this.#readAt > maxAgeMs) {
      this.#readAt = performance.now();
      this.#read = this.#refresh();
      this.#read.catch(() => (this.#readAt = -Infinity));
    }
    return this.#read;
  }

  async #refresh(): Promise<void> {
    await this.#roles.refresh();
    const keys = await readValidApiKeys(this.database);
    this.#keys = new Map(keys.map((key) => [prefixOf(key.id), key]));
  }
}
