import cluster from 'node:cluster';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { log } from '../../runtime/logging/log.js';
import { DevHost } from './host.js';
import type { Begin, DevListening } from './messages.js';

/** By then a host has stopped accepting; it may still answer what is in flight. */
const stopsAcceptingMs = 300;

/** The host that serves, and one that has loaded the runtime and waits for code that compiles. */
export class DevHosts {
  readonly #all = new Set<DevHost>();
  #serving: DevHost | undefined;
  #waiting: DevHost | undefined;

  constructor(
    app: string,
    private readonly env: Readonly<Record<string, string>>,
    private readonly options: Omit<Begin, 'type'>,
  ) {
    // Two hosts share the port for a moment; each accepts its connections itself.
    cluster.schedulingPolicy = cluster.SCHED_NONE;
    cluster.setupPrimary({
      exec: fileURLToPath(new URL('host-main.js', import.meta.url)),
      args: [app],
      execArgv: [...process.execArgv, '--enable-source-maps'],
    });
  }

  get isServing(): boolean {
    return this.#serving?.hasEnded === false;
  }

  /** Loads the runtime ahead of the next change. */
  prepare(): void {
    if (this.#waiting === undefined || this.#waiting.hasEnded) this.#waiting = this.#fork();
  }

  /** Starts the new code; the host before it serves until the new one listens. Undefined: it did not start in time. */
  async replace(outdated: AbortSignal): Promise<DevListening | undefined> {
    this.prepare();
    const next = this.#waiting;
    this.#waiting = undefined;
    const listening = await next?.begin(this.options, outdated);
    if (next === undefined) return undefined;
    if (listening === undefined) {
      // It may wait forever for something that the next change corrects.
      void next.stop();
      return undefined;
    }
    const previous = this.#serving;
    this.#serving = next;
    void this.#reportEnd(next);
    if (previous !== undefined) await Promise.race([previous.stop(), delay(stopsAcceptingMs)]);
    return listening;
  }

  async stop(): Promise<void> {
    this.#serving = undefined;
    await Promise.all([...this.#all].map((host) => host.stop()));
  }

  #fork(): DevHost {
    const host = new DevHost(cluster.fork(this.env));
    this.#all.add(host);
    void host.ended.then(() => this.#all.delete(host));
    return host;
  }

  async #reportEnd(host: DevHost): Promise<void> {
    const code = await host.ended;
    if (this.#serving === host) log.error({ code }, 'the service has ended; it starts again after a change');
  }
}
