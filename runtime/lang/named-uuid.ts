import type { Uuid } from '../../contracts/scalars.js';
import { sha256 } from './sha256.js';

/**
 * The id of a name: the same texts give the same id on every host.
 *
 * @example
 * ```ts
 * const stockId = namedUuid('stock', orderId);
 * work.append(stockId, StockReserved.of({ orderId }));
 * ```
 */
export function namedUuid(namespace: string, ...names: readonly string[]): Uuid {
  // As JSON, so that no two lists of texts look alike.
  return uuidOfDigest(sha256(JSON.stringify([namespace, ...names])));
}

/** The first 16 bytes, as version 8: the bits have a meaning of our own. */
export function uuidOfDigest(digest: Buffer): Uuid {
  digest.writeUInt8((digest.readUInt8(6) & 0x0f) | 0x80, 6);
  digest.writeUInt8((digest.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = digest.toString('hex', 0, 16);
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
