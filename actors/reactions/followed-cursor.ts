import type { FollowerWork, RunEnd } from '../follow/follower-machine.js';
import { log } from '../../runtime/logging/log.js';
import type { CursorWork } from '../steps/cursor-work.js';
import type { CursorPorts } from './cursor-ports.js';
import type { Cursor } from './cursor-reader.js';
import { CursorRun } from './cursor-run.js';

/** One partition of a reaction or process as a follower of the log: a run lasts until another host takes the cursor. */
export class FollowedCursor implements FollowerWork {
  readonly kind = 'reaction';
  readonly name: string;
  readonly lease: string;
  /** What it is a partition of. */
  readonly of: Pick<CursorWork, 'kind' | 'name'>;
  /** While this host holds the cursor. */
  current: CursorRun | undefined;

  constructor(
    private readonly ports: CursorPorts,
    private readonly cursor: Cursor,
  ) {
    this.name = this.lease = cursor.name;
    this.of = cursor.work;
  }

  async run(signal: AbortSignal): Promise<RunEnd> {
    const run = (this.current = new CursorRun(this.ports, this.cursor));
    signal.addEventListener('abort', () => run.stop());
    try {
      await run.run();
    } finally {
      if (this.current === run) this.forget();
    }
    return 'overtaken';
  }

  wake(): void {
    this.current?.wake();
  }

  /** Parked keys may have been released. */
  look(): void {
    this.current
      ?.look()
      .catch((err: unknown) => log.warn({ err, cursor: this.name }, 'parked keys could not be looked up'));
  }

  forget(): void {
    this.current = undefined;
  }
}
