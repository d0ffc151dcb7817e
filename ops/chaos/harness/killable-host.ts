import { setTimeout as delay } from 'node:timers/promises';
import { type SpawnedCli, startCli } from '../../testing/spawned-host.js';

/** Stores of this service take each other's events. */
export const exchangingOrders = ['start', 'build/applications/ops/chaos/harness/exchanging-orders.js'];

/** A host of a run, restarted whenever it exits until it is stopped for good. */
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
    private readonly launch: typeof startCli = startCli,
  ) {}

  start(): void {
    this.#ended ??= this.#keepRunning();
  }

  /** kill -9; it is restarted by itself. */
  async kill(): Promise<void> {
    await this.#running?.kill('SIGKILL');
  }

  /** Stops the process in the middle of whatever it does, and lets it continue after a while. */
  async freezeFor(ms: number): Promise<void> {
    const frozen = this.#running;
    void frozen?.kill('SIGSTOP');
    await delay(ms);
    void frozen?.kill('SIGCONT');
  }

  /** It is not restarted anymore. */
  stayStopped(): void {
    this.#stopping = true;
  }

  /** Drains it, and restarts it after a while. */
  async stopFor(ms: number): Promise<void> {
    this.#awayMs = ms;
    await this.#running?.kill('SIGTERM');
  }

  /** Restarts it with a failpoint; resolves when it has exited there, or the wait was given up. */
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

  /** Drains it, and reports how it exited. */
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
      this.#running = this.launch(this.args, {
        ...this.env,
        ...(failpoint === undefined ? {} : { SVC_FAILPOINTS: failpoint }),
      });
      this.starts++;
      await this.#running.ended;
      // A host that cannot reach its database exits at once; do not restart it in a tight loop.
      await delay(20 + this.#awayMs);
      this.#awayMs = 0;
    }
  }
}
