import type { FollowerWork, RunEnd } from '../follow/follower-machine.js';
import type { Page } from '../../runtime/log/log-entry.js';
import { PerspectiveRound, type RoundEnd, type RoundPorts, type RoundSettings } from './perspective-round.js';
import { ParkedRowsRetry } from './retry-parked-rows.js';
import { RunnerProgress } from './runner-progress.js';
import { StreamRewind } from './stream-rewind.js';

/** A perspective as a follower of the log: each run is one page, one transaction. */
export class PerspectiveWork implements FollowerWork {
  readonly kind = 'perspective';
  readonly progress = new RunnerProgress();
  /** What it does, or did last. */
  state: 'catchingUp' | 'rewinding' | 'live' = 'catchingUp';
  #mustRepair = true;
  #latePage: Page | undefined;

  constructor(
    private readonly ports: RoundPorts,
    private readonly settings: RoundSettings,
  ) {}

  get name(): string {
    return this.ports.table.name;
  }

  get lease(): string {
    return this.ports.table.table;
  }

  /** Parked rows were released, or a rewind is to be reported. */
  repair(): void {
    this.#mustRepair = true;
  }

  isDue(): boolean {
    const { position, head, parkedRetried } = this.progress;
    return this.#mustRepair || parkedRetried === 'partly' || position < head;
  }

  forget(): void {
    this.progress.isLoaded = false;
    this.#latePage = undefined;
    this.state = 'catchingUp';
  }

  async run(): Promise<RunEnd> {
    const round = this.#round();
    // What it knows may be the reason.
    this.progress.round = round.catch(() => this.forget());
    const end = await round;
    this.#latePage = end.ended === 'late' ? end.page : undefined;
    if (end.ended === 'overtaken') return 'overtaken';
    if (end.ended === 'late') this.state = 'rewinding';
    else this.state = end.behind ? 'catchingUp' : 'live';
    return this.state === 'live' ? 'caught up' : 'behind';
  }

  #round(): Promise<RoundEnd> {
    const { ports, settings, progress } = this;
    if (this.#latePage !== undefined)
      return new StreamRewind(ports, settings, progress).rewind(this.#latePage);
    const mustRepair = this.#mustRepair || (progress.parkedRetried === 'partly' && this.state === 'live');
    this.#mustRepair = false;
    return mustRepair
      ? new ParkedRowsRetry(ports, settings, progress).repair()
      : new PerspectiveRound(ports, settings, progress).run();
  }
}
