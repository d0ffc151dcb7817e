import type { Child, Running } from '../../actors/supervisor/child.js';
import type { HostWorker } from './host-worker.js';

/** The place of one host among its likes: whatever process has it, its name stays. */
export class HostSlot implements Child {
  readonly stopWithinMs = 15_000;
  /** Of the host in this place. */
  url = '';
  #current: HostWorker | undefined;
  #coming: HostWorker | undefined;
  #crashed: (error: unknown) => void = () => undefined;

  constructor(
    readonly name: string,
    private readonly take: () => HostWorker,
    private readonly taken: () => void,
  ) {}

  /** What a command has done is no reason to wait: others are to be served. */
  restartsAtOnce(): boolean {
    return this.#current?.isLostToCommand === true;
  }

  /** The process that serves. */
  get current(): HostWorker | undefined {
    return this.#current?.hasEnded === true ? undefined : this.#current;
  }

  async start(crashed: (error: unknown) => void): Promise<Running> {
    this.#crashed = crashed;
    this.#give(await this.#bringUp());
    return { stop: () => this.current?.drain() };
  }

  /** Another process takes the place once it is ready; only then the present one drains. */
  async replace(): Promise<void> {
    const old = this.current;
    if (old === undefined) return;
    const next = await this.#bringUp();
    if (this.#current === old && !old.hasEnded) {
      this.#give(next);
      await old.drain();
    } else {
      // The old one crashed meanwhile and is being brought back.
      await next.drain();
    }
  }

  /** No process of this place is to live on. */
  async drain(): Promise<void> {
    await Promise.all([this.current?.drain(), this.#coming?.drain()]);
  }

  async #bringUp(): Promise<HostWorker> {
    const worker = this.take();
    this.#coming = worker;
    try {
      this.url = await worker.begin(this.name);
      return worker;
    } finally {
      if (this.#coming === worker) this.#coming = undefined;
      this.taken();
    }
  }

  #give(worker: HostWorker): void {
    this.#current = worker;
    void worker.ended.then((end) => {
      if (this.#current === worker && !worker.isToldToEnd) this.#crashed(worker.endOf(end));
    });
  }
}
