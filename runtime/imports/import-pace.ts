/** How long the import had the lock of the log, and how long it waited for it. */
interface Held {
  readonly rows: number;
  readonly lockedMs: number;
  readonly waitedMs: number;
}

const firstRows = 250;
const [fewestRows, mostRows] = [20, 5_000];
/** The log is free: fewer calls. */
const aloneMs = 20;
/** Commits wait meanwhile. */
const besideMs = 4;
/** A shorter wait is that of a lock that nobody has. */
const contendedMs = 0.5;
const calmRounds = 20;

/** How many rows are stored under one lock of the log, so that commits beside the import wait for a short time only. */
export class ImportPace {
  rows = firstRows;
  #contended = 0;

  /** Returns for how long the import leaves the log to others. */
  next({ rows, lockedMs, waitedMs }: Held): number {
    this.#contended = waitedMs > contendedMs ? calmRounds : Math.max(0, this.#contended - 1);
    const isBeside = this.#contended > 0;
    const fitting = (rows * (isBeside ? besideMs : aloneMs)) / Math.max(lockedMs, 0.1);
    this.rows = Math.round(Math.min(mostRows, Math.max(fewestRows, Math.min(fitting, this.rows * 2))));
    return isBeside ? lockedMs : 0;
  }
}
