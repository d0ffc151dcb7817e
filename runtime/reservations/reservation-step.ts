import { Problem } from '../../contracts/problems.js';
import type { ReservationOptions } from '../../contracts/receptor.js';
import type { ReservationKey, ReservationStep } from '../../contracts/unit-lists.js';
import { isStorable } from '../lang/storable-text.js';
import { millisecondsOf } from '../timers/duration.js';

const maxNameLength = 64;
const maxOwnerLength = 200;
const maxValueBytes = 1_024;

/** Takes a name for its owner, or gives it back. */
export function reservationStep(
  take: boolean,
  reserved: { readonly name: string; readonly value: string; readonly tenant: string | undefined },
  options: ReservationOptions,
  keyOf: ReservationKey,
): ReservationStep {
  const { name, value, tenant } = reserved;
  const { owner, for: holdFor } = options;
  mustBeText(name, 'name', maxNameLength);
  mustBeText(owner, 'owner', maxOwnerLength);
  mustBeText(value, 'value', maxValueBytes);
  const step = { key: keyOf(tenant, name, value), name, owner, take };
  if (!take || holdFor === undefined) return step;
  return { ...step, forMs: millisecondsOf(holdFor, `${name}: for`, 'invalid-reservation') };
}

/** The message does not repeat the value: it may be personal. */
function mustBeText(text: unknown, what: string, maxBytes: number): void {
  const fits = typeof text === 'string' && text !== '' && Buffer.byteLength(text) <= maxBytes;
  if (fits && isStorable(JSON.stringify(text))) return;
  throw new Problem('invalid-reservation', {
    detail: `The ${what} of a reservation must be a text of 1 to ${maxBytes} bytes without U+0000.`,
  });
}
