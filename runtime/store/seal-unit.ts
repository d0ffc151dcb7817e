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
  for (const timer of lists.timers)
    timers.push(
      timer.kind === 'process' ? carried(timer, unit, sealed, sealing) : await sealTimer(timer, sealing),
    );
  const { handled, aside, ended, reservations, processes } = lists;
  const others = { handled, aside, ended, reservations, processes };
  return { unit: { events, records, expected, outcome, lists: { ...others, timers } }, events: sealed };
}

/** A process gets the outcome of an effect as it gets events: the values of subjects stay encrypted. */
function carried(
  timer: SetTimer,
  { events }: Unit,
  sealed: SealedUnit['events'],
  sealing: Sealing,
): SetTimer {
  const data = timer.data as { readonly invoke?: string; readonly event?: { readonly output?: Json } };
  if (sealed.size === 0 || data.invoke === undefined || data.event?.output === undefined) return timer;
  const payloads = events.map((event) => {
    const { payload, fields } = sealed.get(event) ?? {};
    if (fields === undefined) return event.envelope.payload;
    return sealing.carry({ event: { ...event.envelope, payload, sealed: fields } });
  });
  const output = JSON.parse(JSON.stringify(payloads.length > 1 ? payloads : payloads[0])) as Json;
  return { ...timer, data: { ...data, event: { ...data.event, output } } };
}

async function sealTimer(timer: SetTimer, sealing: Sealing): Promise<SetTimer> {
  if (timer.kind !== 'command' && timer.kind !== 'effect') return timer;
  const { type, body } = timer.data as { readonly type: string; readonly body: Json };
  if (!sealing.has(type)) return timer;
  return { ...timer, data: { type, body: (await sealing.sealCommand(type, body, timer.id)) as Json } };
}
