import { setTimeout as delay } from 'node:timers/promises';
import { type SpawnedCli, startCli } from '../../testing/spawned-host.js';

/** A host of a run: it is brought back whenever it ends, until it is told to stay away. */
export class KillableHost {
  #running: SpawnedCli | undefined;
  #ended: Promise<void> | undefined;
  #stopping = false;
  #failpoint: string | undefined;
  #awayMs = 0;
  starts = 0;

  constructor(
    private readonly env: Readonly<Record<string, string>>,
    private readonly args: readonly string[] = ['start', 'examples/orders'],
  ) {}

  start(): void {
    this.#ended ??= this.#keepRunning();
  }

  /** kill -9; it comes back by itself. */
  async kill(): Promise<void> {
    await this.#running?.kill('SIGKILL');
  }

  /** It does not come back any more. */
  stayStopped(): void {
    this.#stopping = true;
  }

  /** Lets it drain, and keeps it away for a while. */
  async stopFor(ms: number): Promise<void> {
    this.#awayMs = ms;
    await this.#running?.kill('SIGTERM');
  }

  /** Brings it back with a place to die at; resolves when it has died there, or somebody gave up. */
  async killAt(failpoint: string, givenUp: Promise<unknown>): Promise<boolean> {
    this.#failpoint = failpoint;
    const before = this.starts;
    await this.kill();
    while (this.starts === before) await delay(5);
    const armed = this.#running;
    const died = armed?.ended.then(() => true) ?? true;
    const reached = await Promise.race([died, givenUp.then(() => false)]);
    if (!reached) await armed?.kill('SIGKILL');
    return reached;
  }

  /** Drains it, and reports how it ended. */
  async stop(): Promise<number | null> {
    this.#stopping = true;
    const ended = await this.#running?.kill('SIGTERM');
    await this.#ended;
    return ended?.code ?? null;
  }

  async #keepRunning(): Promise<void> {
    while (!this.#stopping) {
      const failpoint = this.#failpoint;
      this.#failpoint = undefined;
      this.#running = startCli(this.args, {
        ...this.env,
        ...(failpoint === undefined ? {} : { SVC_FAILPOINTS: failpoint }),
      });
      this.starts++;
      await this.#running.ended;
      // A host that could not reach its database ends at once; it is not started in a tight loop.
      await delay(20 + this.#awayMs);
      this.#awayMs = 0;
    }
  }
}
