import { partitions } from '../../contracts/reaction-store.js';

/** The partition of a key. It is stored: it must never change. */
export function partOf(key: string): number {
  // FNV-1a over the code units, and the upper bits folded in: the lowest three bits alone are poor.
  let hash = 0x811c9dc5;
  for (let at = 0; at < key.length; at++) hash = Math.imul(hash ^ key.charCodeAt(at), 0x01000193);
  return ((hash ^ (hash >>> 15)) >>> 0) % partitions;
}
