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
  const bytes = sha256(JSON.stringify([namespace, ...names])).subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
