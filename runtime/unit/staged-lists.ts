import type {
  AsideStep,
  EndedTimer,
  HandledEvent,
  ProcessStep,
  ReservationStep,
  SetTimer,
  UnitLists,
} from '../../contracts/unit-lists.js';
import type { Uuid } from '../../contracts/scalars.js';

/** The lists staged beside events: timers, reservations, and whatever the runners of reactions add. */
export class StagedLists implements UnitLists {
  readonly handled: HandledEvent[] = [];
  readonly aside: AsideStep[] = [];
  timers: SetTimer[] = [];
  readonly ended: EndedTimer[] = [];
  readonly reservations: ReservationStep[] = [];
  readonly processes: ProcessStep[] = [];

  /** The commit ends timers before it sets any. */
  set(timer: SetTimer): void {
    const isStaged = this.timers.some(({ id }) => id === timer.id);
    if (isStaged && timer.again === 'keep') return;
    if (isStaged) this.timers = this.timers.filter(({ id }) => id !== timer.id);
    this.timers.push(timer);
  }

  end(id: Uuid): void {
    this.#end({ id });
  }

  /** Adds lists that were staged later. */
  add({ handled, aside, timers, ended, reservations, processes }: Partial<UnitLists>): void {
    for (const timer of ended ?? []) this.#end(timer);
    for (const timer of timers ?? []) this.set(timer);
    this.handled.push(...(handled ?? []));
    this.aside.push(...(aside ?? []));
    this.reservations.push(...(reservations ?? []));
    this.processes.push(...(processes ?? []));
  }

  #end(ended: EndedTimer): void {
    this.timers = this.timers.filter((timer) => timer.id !== ended.id);
    if (!this.ended.some(({ id }) => id === ended.id)) this.ended.push(ended);
  }
}
