import { type Identity, identityFrom, isPermitted } from '../../contracts/identity.js';
import { isPermissionText, Permission } from '../../contracts/permission.js';
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

  async permits({ apiKey, ...known }: WebhookOwner, permission: Permission): Promise<boolean> {
    const scope = apiKey === undefined ? known : { ...known, extensions: { apiKey } };
    const identity = await this.of(identityFrom({ source: 'webhook', scope }));
    return identity !== undefined && isPermitted(identity, permission);
  }

  /** Adds what is granted to what credentials said; an API key has its present permissions, or is gone. */
  async of(said: Identity): Promise<Identity | undefined> {
    await this.#fresh();
    const { tenantId, extensions } = said.scope;
    const { apiKey } = extensions;
    if (apiKey === undefined) return this.#roles.complete(said);
    const key = this.#keys.get(apiKey);
    if (key === undefined || key.tenantId !== tenantId) return undefined;
    const permissions = key.permissions.filter(isPermissionText).map((text) => Permission.parse(text));
    return this.#roles.complete({ ...said, permissions });
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
