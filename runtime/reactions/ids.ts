import type { Uuid } from '../../contracts/scalars.js';
import { sha256 } from '../sha256.js';

/** How many reactions and timers may follow each other without a request between them. */
export const maxDepth = 32;

/** The id of the nth command that a reaction or process sends because of an event: the same for every retry. */
export const commandIdOf = (store: Uuid, eventId: Uuid, reaction: string, index: number): Uuid =>
  derivedId('command', store, eventId, reaction, String(index));

/** The id of the command that a timer sends: another one when the timer is set again for another time. */
export const firedCommandIdOf = (timerId: Uuid, due: string): Uuid => derivedId('timer', timerId, due);

/** A UUIDv8 of these parts: the parts are separated, so that no two lists give the same id. */
export function derivedId(...parts: readonly string[]): Uuid {
  const bytes = sha256(JSON.stringify(parts)).subarray(0, 16);
  bytes[6] = 0x80 | ((bytes[6] ?? 0) & 0x0f);
  bytes[8] = 0x80 | ((bytes[8] ?? 0) & 0x3f);
  const hex = bytes.toString('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
