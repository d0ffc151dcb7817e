import type {
  AsideStep,
  EndedTimer,
  HandledEvent,
  ProcessStep,
  ReservationStep,
  SetTimer,
  UnitLists,
} from '../contracts/unit-lists.js';
import type { Uuid } from '../contracts/scalars.js';

/** What is staged beside events: timers, reservations, and what the runners of reactions add. */
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
    this.timers = this.timers.filter((timer) => timer.id !== id);
    if (!this.ended.some((timer) => timer.id === id)) this.ended.push({ id });
  }
}
