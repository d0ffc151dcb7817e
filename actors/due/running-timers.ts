import { partitions } from '../../contracts/reaction-store.js';
import { eventsAlone } from '../../runtime/database/notify.js';
import type { HostLeases, HostTurn } from '../../runtime/leases/host-leases.js';
import { log } from '../../runtime/logging/log.js';
import { type DueWork, timerDefaults, TimerRunner, type TimerRunnerPorts } from './timer-runner.js';

interface RunningTimersPorts extends Omit<TimerRunnerPorts, 'parts'> {
  /** Undefined: the service has no effects. */
  readonly others?:
    | ((ports: { readonly parts: () => readonly number[]; readonly wake: () => void }) => DueWork)
    | undefined;
  readonly leases: Pick<HostLeases, 'join' | 'isNewest' | 'notifications'>;
  /** Sets the timers of the schedules. */
  readonly setSchedules: (isNewest: () => Promise<boolean>) => Promise<void>;
  /** Tries again what another version could not take. */
  readonly tryParkedAgain: (parts: readonly number[]) => Promise<void>;
}

const names: readonly string[] = Array.from({ length: partitions }, (_, part) => `timers/${part}`);
const [firstName = ''] = names;

/** The timers of one host: it fires those of the partitions whose leases it holds. */
export class RunningTimers {
  readonly #runner: TimerRunner;
  readonly #others: DueWork | undefined;
  #held: readonly number[] = [];
  #schedulesSet: Promise<void> | undefined;
  #stopListening: (() => void) | undefined;
  #leaveLeases: (() => Promise<void>) | undefined;

  constructor(
    private readonly ports: RunningTimersPorts,
    settings: Readonly<typeof timerDefaults> = timerDefaults,
  ) {
    const parts = (): readonly number[] => this.#held;
    this.#others = ports.others?.({ parts, wake: () => this.#runner.wakeOthers() });
    this.#runner = new TimerRunner({ ...ports, parts }, settings, this.#others);
  }

  start(): void {
    const { leases } = this.ports;
    this.#runner.start();
    this.#stopListening = leases.notifications.subscribe((channel, payload) => {
      // Under load there are many commits, and each look costs the host and the server a query.
      if (channel === 'svc' && payload !== eventsAlone) this.#wake();
    });
    this.#leaveLeases = leases.join({ names: () => names, renewed: (turn) => this.#renewed(turn) });
  }

  async stop(): Promise<void> {
    this.#held = [];
    this.#stopListening?.();
    await Promise.all([this.#runner.stop(), this.#schedulesSet]);
    await this.#leaveLeases?.();
  }

  #renewed({ held, isOurs, hasGrown }: HostTurn): void {
    if (hasGrown) this.#wake();
    const parts = names.flatMap((name, part) => (held.has(name) ? part : []));
    const added = parts.filter((part) => !this.#held.includes(part));
    this.#held = parts;
    if (added.length > 0) void this.#take(added);
    this.#setSchedules(isOurs(firstName));
  }

  /** A timer may have been set. */
  #wake(): void {
    if (this.#held.length > 0) this.#runner.wake();
  }

  async #take(parts: readonly number[]): Promise<void> {
    const taken = Promise.all([this.#others?.taken(parts), this.ports.tryParkedAgain(parts)]);
    this.#runner.wake();
    try {
      await taken;
    } catch (err) {
      log.warn(
        { err },
        'parked timers could not be looked up; the next host that takes their partition does so',
      );
    }
    this.#runner.wake();
  }

  /** An older version leaves them to the newer one. */
  #setSchedules(isOurs: boolean): void {
    if (!isOurs) this.#schedulesSet = undefined;
    else
      this.#schedulesSet ??= this.ports
        .setSchedules(() => this.ports.leases.isNewest(firstName))
        .catch((err: unknown) => {
          log.warn({ err }, 'the timers of the schedules could not be set; retrying');
          this.#schedulesSet = undefined;
        });
  }
}
