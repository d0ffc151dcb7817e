import type { Database, Row } from '../database/database.js';
import { digestOf, type NewApiKey } from './api-key.js';

/** What a key allows. */
export interface ApiKeyGrant {
  readonly name: string;
  readonly permissions: readonly string[];
  readonly tenantId?: string | undefined;
  readonly userId?: string | undefined;
}

/** A key as operators see it. */
export interface ListedApiKey extends ApiKeyGrant {
  readonly id: string;
  readonly createdAt: string;
  readonly revokedAt?: string | undefined;
}

/** A key that is not revoked. */
export interface ValidApiKey extends ApiKeyGrant {
  readonly id: string;
  /** Hexadecimal. */
  readonly digest: string;
}

type Reader = Pick<Database, 'rows'>;

const grantColumns = 'id, name, to_json(permissions), tenant_id, user_id';

/** Stores the digest of a new key; false when its four random bytes of id name another key already. */
export async function insertApiKey(
  owner: Reader,
  { id, key }: NewApiKey,
  { name, permissions, tenantId, userId }: ApiKeyGrant,
): Promise<boolean> {
  const rows = await owner.rows({
    text: `INSERT INTO svc_api_keys(id, digest, name, permissions, tenant_id, user_id) VALUES ($1, $2, $3, $4, $5, $6)
      ON CONFLICT (id) DO NOTHING RETURNING 1`,
    values: [id, digestOf(key), name, permissions, tenantId, userId],
  });
  return rows.length === 1;
}

/** Every key, revoked ones included, oldest first. */
export async function listApiKeys(database: Reader): Promise<readonly ListedApiKey[]> {
  const rows = await database.rows({
    text: `SELECT ${grantColumns}, svc_iso_time(created_at, 'MS'), svc_iso_time(revoked_at, 'MS') FROM svc_api_keys ORDER BY created_at, id`,
  });
  return rows.map((row) => ({
    ...grantOf(row),
    createdAt: row[5] ?? '',
    ...(row[6] === null ? {} : { revokedAt: row[6] }),
  }));
}

/** Returns whether there is such a key that was not revoked before. */
export async function markRevoked(owner: Reader, id: string): Promise<boolean> {
  const rows = await owner.rows({
    text: `UPDATE svc_api_keys SET revoked_at = clock_timestamp() WHERE id = $1 AND revoked_at IS NULL RETURNING 1`,
    values: [id],
  });
  return rows.length === 1;
}

/** The keys that callers may use. */
export async function readValidApiKeys(database: Reader): Promise<readonly ValidApiKey[]> {
  const rows = await database.rows({
    name: 'svc_valid_api_keys',
    text: `SELECT ${grantColumns}, encode(digest, 'hex') FROM svc_api_keys WHERE revoked_at IS NULL ORDER BY id`,
  });
  return rows.map((row) => ({ ...grantOf(row), digest: row[5] ?? '' }));
}

const grantOf = ([id, name, permissions, tenantId, userId]: Row) => ({
  id: id ?? '',
  name: name ?? '',
  permissions: JSON.parse(permissions ?? '[]') as readonly string[],
  ...(tenantId === null ? {} : { tenantId }),
  ...(userId === null ? {} : { userId }),
});
