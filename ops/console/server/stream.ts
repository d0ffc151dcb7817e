import { Problem } from '../../../contracts/problems.js';
import { type Outlet, Watch } from './watch.js';
import type { ConsoleHost } from '../model/source.js';

interface StreamOptions {
  /** How often news is sent, whatever the load. */
  readonly everyMs: number;
  readonly mostClients: number;
  /** One that lets more than this pile up is cut; it comes back and goes on where it was. */
  readonly mostBufferedBytes: number;
}

const streamDefaults: StreamOptions = { everyMs: 1000, mostClients: 16, mostBufferedBytes: 1 << 20 };

/** The live news of all hosts that somebody looks at: asked for once per host, told to everybody who watches it. */
export class ConsoleStream {
  readonly #watches = new Map<ConsoleHost, Watch>();
  #timer: NodeJS.Timeout | undefined;
  #clients = 0;
  #closed = false;

  constructor(private readonly options: StreamOptions = streamDefaults) {}

  get clients(): number {
    return this.#clients;
  }

  /** Tells `outlet` the news of `host` until the returned function is called. */
  join(host: ConsoleHost, outlet: Outlet, lastEventId?: string): () => void {
    if (this.#closed) throw new Problem('draining');
    if (this.#clients >= this.options.mostClients) {
      throw new Problem('overloaded', {
        detail: `${this.#clients} pages watch already; close one of them.`,
        retryAfter: 10,
      });
    }
    this.#clients++;
    const watch = this.#watchOf(host);
    watch.add(outlet, lastEventId);
    this.#timer ??= setInterval(() => this.#tick(), this.options.everyMs).unref();
    let joined = true;
    return () => {
      if (!joined) return;
      joined = false;
      this.#clients--;
      watch.remove(outlet);
      if (watch.isIdle) this.#end(host, watch);
    };
  }

  /** Ends everybody's connection; nobody comes back to a host that stops. */
  close(): void {
    this.#closed = true;
    for (const watch of this.#watches.values()) watch.endAll();
  }

  #watchOf(host: ConsoleHost): Watch {
    const known = this.#watches.get(host);
    if (known !== undefined) return known;
    const watch = new Watch(host);
    this.#watches.set(host, watch);
    return watch;
  }

  #end(host: ConsoleHost, watch: Watch): void {
    watch.stop();
    this.#watches.delete(host);
    if (this.#watches.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #tick(): void {
    for (const watch of this.#watches.values()) {
      watch.cutThoseBehind(this.options.mostBufferedBytes);
      watch.tick();
    }
  }
}
