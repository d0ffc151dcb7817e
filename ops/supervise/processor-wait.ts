import { readFileSync } from 'node:fs';

interface Sample {
  /** It runs or waits for a processor; otherwise it waits for something else. */
  readonly isRunnable: boolean;
  /** How long it has run so far. */
  readonly ranMs: number;
}

/**
 * How long the main thread of a process was kept from running because others used the processors. A host that gets no
 * time is as silent as a blocked one, but replacing it would only add work.
 */
export class ProcessorWait {
  #last: Sample | undefined;

  constructor(private readonly sample: () => Sample | undefined) {}

  /** Since the last call, which was so many milliseconds ago. */
  since(elapsedMs: number): number {
    const before = this.#last;
    const now = this.sample();
    this.#last = now;
    if (before === undefined || now === undefined || !before.isRunnable || !now.isRunnable) return 0;
    return Math.max(0, elapsedMs - (now.ranMs - before.ranMs));
  }
}

/** Known on Linux only. */
export function sampleOf(pid: number): Sample | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const schedule = readFileSync(`/proc/${pid}/schedstat`, 'utf8');
    // The name of the program, in brackets, may hold anything.
    const state = stat.slice(stat.lastIndexOf(')') + 2, stat.lastIndexOf(')') + 3);
    return { isRunnable: state === 'R', ranMs: Number(schedule.split(' ')[0]) / 1e6 };
  } catch {
    return undefined;
  }
}
