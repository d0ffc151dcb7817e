import { Problem } from '../../../contracts/problems.js';
import { type StreamClient, HostWatch } from './host-watch.js';
import type { ConsoleHost } from '../model/console-source.js';

interface StreamOptions {
  /** The interval of updates, whatever the load. */
  readonly everyMs: number;
  readonly maxClients: number;
  /** A connection with a larger backlog is closed; it reconnects and continues. */
  readonly maxBufferedBytes: number;
}

const streamDefaults: StreamOptions = { everyMs: 1000, maxClients: 16, maxBufferedBytes: 1 << 20 };

/** The live updates of all watched hosts: read once per host, sent to every watcher. */
export class ConsoleStream {
  readonly #watches = new Map<ConsoleHost, HostWatch>();
  #timer: NodeJS.Timeout | undefined;
  #clients = 0;
  #closed = false;

  constructor(private readonly options: StreamOptions = streamDefaults) {}

  get clients(): number {
    return this.#clients;
  }

  /** Sends the updates of `host` to `outlet` until the returned function is called. */
  join(host: ConsoleHost, client: StreamClient, lastEventId?: string): () => void {
    if (this.#closed) throw new Problem('draining');
    if (this.#clients >= this.options.maxClients) {
      throw new Problem('overloaded', {
        detail: `${this.#clients} pages are already watching; close one of them.`,
        retryAfter: 10,
      });
    }
    this.#clients++;
    const watch = this.#watchOf(host);
    watch.add(client, lastEventId);
    this.#timer ??= setInterval(() => this.#tick(), this.options.everyMs).unref();
    let joined = true;
    return () => {
      if (!joined) return;
      joined = false;
      this.#clients--;
      watch.remove(client);
      if (watch.isIdle) this.#end(host, watch);
    };
  }

  /** Closes all connections; a host that stops has no further updates. */
  close(): void {
    this.#closed = true;
    for (const watch of this.#watches.values()) watch.endAll();
  }

  #watchOf(host: ConsoleHost): HostWatch {
    const known = this.#watches.get(host);
    if (known !== undefined) return known;
    const watch = new HostWatch(host);
    this.#watches.set(host, watch);
    return watch;
  }

  #end(host: ConsoleHost, watch: HostWatch): void {
    watch.stop();
    this.#watches.delete(host);
    if (this.#watches.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #tick(): void {
    for (const watch of this.#watches.values()) {
      watch.endSlowClients(this.options.maxBufferedBytes);
      watch.tick();
    }
  }
}
