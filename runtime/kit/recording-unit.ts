import type { Command } from '../../contracts/message.js';
import { later, type Sent, type TimerOptions, unschedule } from '../../contracts/reaction.js';
import type { Uuid } from '../../contracts/scalars.js';
import type { ReservationOptions } from '../../contracts/receptor.js';
import { StagedUnit } from '../unit/unit-of-work.js';

/** A unique name, who takes it or gives it back, and its value, which a store does not keep. */
export interface NamedValue {
  readonly name: string;
  readonly value: string;
  readonly owner: string;
}

/** Remembers timers and names as the receptor states them. */
export class RecordingUnit extends StagedUnit {
  readonly timers: Sent[] = [];
  readonly reserved: NamedValue[] = [];
  readonly released: NamedValue[] = [];

  override schedule(command: Command, options: TimerOptions): void {
    super.schedule(command, options);
    this.timers.push(later(command, options));
  }

  override unschedule(name: string, key = ''): void {
    super.unschedule(name, key);
    this.timers.push(unschedule(name, key));
  }

  override send(command: Command, options?: TimerOptions): Uuid {
    const id = super.send(command, options);
    this.timers.push(options === undefined ? command : later(command, options));
    return id;
  }

  override reserve(name: string, value: string, options: ReservationOptions): void {
    super.reserve(name, value, options);
    this.reserved.push({ name, value, owner: options.owner });
  }

  override release(name: string, value: string, options: Pick<ReservationOptions, 'owner'>): void {
    super.release(name, value, options);
    this.released.push({ name, value, owner: options.owner });
  }
}
