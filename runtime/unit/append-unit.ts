import type { Appended, AppendOptions } from '../../contracts/event-store.js';
import type { Envelope } from '../../contracts/message.js';
import { Problem } from '../../contracts/problems.js';
import { isLong, type Uuid } from '../../contracts/scalars.js';
import type { StagedEvent, Unit } from '../../contracts/unit-store.js';

/** An append outside a handler is its own unit. */
export function appendUnit(
  streamId: Uuid,
  envelopes: Envelope | readonly Envelope[],
  options: AppendOptions,
): Unit {
  const list = Array.isArray(envelopes) ? (envelopes as readonly Envelope[]) : [envelopes as Envelope];
  const events = list.map((envelope): StagedEvent => ({
    streamId,
    envelope,
    occurredAt: options.occurredAt,
  }));
  return { events, records: [], expected: expectationOf(streamId, options) };
}

export const appendedBy = (unit: Unit): Appended => ({
  positions: unit.events.map((event) => event.position ?? 0),
  globalPositions: unit.events.map((event) => event.globalPosition ?? 0),
});

function expectationOf(
  streamId: Uuid,
  { expectedPosition = 'any' }: AppendOptions,
): ReadonlyMap<Uuid, number> {
  if (expectedPosition === 'any') return new Map();
  if (!isLong(expectedPosition) || expectedPosition < 0) {
    throw new Problem('invalid-event', {
      detail: `expectedPosition ${String(expectedPosition)} is not a position.`,
    });
  }
  return new Map([[streamId, expectedPosition]]);
}
