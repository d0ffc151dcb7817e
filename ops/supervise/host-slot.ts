import type { Child, Running } from '../../actors/supervisor/child.js';
import { log } from '../../runtime/logging/log.js';
import type { HostProcess } from './host-process.js';
import type { ToHost } from './ipc-messages.js';

/** The slot of one host: its name stays, whichever process fills it. */
export class HostSlot implements Child {
  readonly stopWithinMs = 22_000;
  /** The name of the host in this slot. */
  url = '';
  #current: HostProcess | undefined;
  #starting: HostProcess | undefined;
  #crashed: (error: unknown) => void = () => undefined;

  constructor(
    readonly name: string,
    private readonly takeProcess: () => HostProcess,
    private readonly onTaken: () => void,
  ) {}

  /** A host lost to a command is replaced without delay: others must be served. */
  restartsAtOnce(): boolean {
    return this.#current?.isLostToCommand === true;
  }

  /** The process that serves. */
  get current(): HostProcess | undefined {
    return this.#current?.hasEnded === true ? undefined : this.#current;
  }

  async start(crashed: (error: unknown) => void): Promise<Running> {
    this.#crashed = crashed;
    // How an earlier process ended says nothing about this start.
    this.#current = undefined;
    this.#assign(await this.#startProcess());
    return { stop: () => this.current?.drain() };
  }

  /** The process that serves, and one that starts. */
  get processes(): readonly HostProcess[] {
    return [this.current, this.#starting].filter((host) => host !== undefined);
  }

  /** Starts another process; the present one drains only after the new one is ready. */
  async replace(): Promise<void> {
    const old = this.current;
    if (old === undefined) return;
    const next = await this.#startProcess();
    if (this.#current === old && !old.hasEnded) {
      this.#assign(next);
      await old.drain();
    } else {
      // The old one crashed meanwhile and is being replaced.
      await next.drain();
    }
  }

  send(message: ToHost): void {
    for (const host of this.processes) host.send(message);
  }

  /** Ends the slot for good. */
  async drain(): Promise<void> {
    await Promise.all(this.processes.map((host) => host.drain()));
  }

  /** One that is lost to a command or reaction before it is ready is replaced without delay, too. */
  async #startProcess(): Promise<HostProcess> {
    for (;;) {
      const host = this.takeProcess();
      this.#starting = host;
      try {
        this.url = await host.begin(this.name);
        return host;
      } catch (error) {
        if (!host.isLostToCommand || host.isEnding) throw error;
        log.error({ child: this.name, err: error }, 'a starting host is replaced');
      } finally {
        if (this.#starting === host) this.#starting = undefined;
        this.onTaken();
      }
    }
  }

  #assign(host: HostProcess): void {
    this.#current = host;
    void host.ended.then((end) => {
      if (this.#current === host && !host.isEnding) this.#crashed(host.exitProblem(end));
    });
  }
}
