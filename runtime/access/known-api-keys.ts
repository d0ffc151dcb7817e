import { timingSafeEqual } from 'node:crypto';
import type { Identity } from '../../contracts/identity.js';
import { Problem } from '../../contracts/problems.js';
import { isPermissionText } from '../../contracts/permission.js';
import { log } from '../logging/log.js';
import { apiKeyIdIn, digestTextOf, prefixOf } from './api-key.js';
import type { ValidApiKey } from './api-key-store.js';
import { frozenIdentity } from './frozen-identity.js';

interface KnownApiKey {
  readonly digest: Buffer;
  readonly identity: Identity;
}

/** How long the copy serves while the database cannot be reached. */
const maxAgeMs = 900_000;

/** A copy of the API keys in memory: every request asks it, and needs no promise. */
export class KnownApiKeys {
  #keys: ReadonlyMap<string, KnownApiKey> = new Map();
  /**
   * The keys that were used since the last change, so that each is hashed once. A map finds a text by the hash of the
   * whole: how long it takes does not depend on how much of a guess is right.
   */
  #used = new Map<string, Identity>();
  #text = '';
  #readAt = -Infinity;

  constructor(
    private readonly read: () => Promise<readonly ValidApiKey[]>,
    private readonly now: () => number = () => performance.now(),
  ) {}

  async refresh(): Promise<void> {
    const startedAt = this.now();
    const keys = await this.read();
    const text = JSON.stringify(keys);
    if (text !== this.#text) {
      this.#keys = new Map(keys.flatMap(knownOf));
      this.#used = new Map();
    }
    this.#text = text;
    this.#readAt = startedAt;
  }

  /** The caller who may use this key; undefined when there is none. */
  identityOf(key: string): Identity | undefined {
    if (this.now() - this.#readAt > maxAgeMs) throw tooOld();
    const used = this.#used.get(key);
    if (used !== undefined) return used;
    const identity = this.#identityOf(key);
    if (identity !== undefined) this.#used.set(key, identity);
    return identity;
  }

  #identityOf(key: string): Identity | undefined {
    const id = apiKeyIdIn(key);
    if (id === undefined) return undefined;
    const known = this.#keys.get(id);
    given.write(digestTextOf(key), 'latin1');
    // An unknown id takes as long as a known one.
    return timingSafeEqual(given, known?.digest ?? noDigest) ? known?.identity : undefined;
  }
}

const noDigest = Buffer.alloc(32);
const given = Buffer.alloc(32);

/** A row that was changed by hand must not keep the other keys from being known. */
function knownOf({ id, digest, name, permissions, tenantId, userId }: ValidApiKey): [string, KnownApiKey][] {
  const bytes = Buffer.from(digest, 'hex');
  try {
    const identity = frozenIdentity({
      source: `api-key:${prefixOf(id)}`,
      scope: {
        ...(tenantId === undefined ? {} : { tenantId }),
        ...(userId === undefined ? {} : { userId }),
        // Audits name the key: without a user it is all that says who acted.
        extensions: { apiKey: prefixOf(id), ...(userId === undefined ? { userName: name } : {}) },
      },
      permissions: permissions.filter(isPermissionText),
      displayName: name,
    });
    return bytes.length === noDigest.length ? [[id, { digest: bytes, identity }]] : [];
  } catch (err) {
    log.warn({ err, id }, 'an API key is not valid and is ignored');
    return [];
  }
}

const tooOld = (): Problem =>
  new Problem('keys-unavailable', {
    detail: 'Your key cannot be checked while the store cannot be reached; try again.',
    retryAfter: 5,
  });
