import type { SealedPayload, Sealing } from '../../contracts/sealing.js';
import type { Json } from '../../contracts/scalars.js';
import type { SetTimer } from '../../contracts/unit-lists.js';
import type { StagedEvent, Unit } from '../../contracts/unit-store.js';

interface SealedUnit {
  readonly unit: Unit;
  readonly events: ReadonlyMap<StagedEvent, SealedPayload>;
}

/** A unit as it is stored: with the values of subjects encrypted, in its events and in the commands of its timers and effects. */
export async function sealUnit(unit: Unit, sealing: Sealing): Promise<SealedUnit> {
  const sealed = await sealing.seal(unit.events);
  const { events, records, expected, outcome, lists } = unit;
  if (lists === undefined || lists.timers.length === 0) return { unit, events: sealed };
  const timers: SetTimer[] = [];
  for (const timer of lists.timers) timers.push(await sealTimer(timer, sealing));
  const { handled, aside, ended, reservations, processes } = lists;
  const others = { handled, aside, ended, reservations, processes };
  return { unit: { events, records, expected, outcome, lists: { ...others, timers } }, events: sealed };
}

async function sealTimer(timer: SetTimer, sealing: Sealing): Promise<SetTimer> {
  if (timer.kind !== 'command' && timer.kind !== 'effect') return timer;
  const { type, body } = timer.data as { readonly type: string; readonly body: Json };
  if (!sealing.has(type)) return timer;
  return { ...timer, data: { type, body: (await sealing.sealCommand(type, body, timer.id)) as Json } };
}
