import type { PastCounts } from '../model/recent-counts.js';
import type { RequestItem } from '../model/requests.js';
import type { MaybePromise } from '../model/maybe-promise.js';
import type { ConsoleHost } from '../model/console-source.js';

/** An open connection that receives updates. */
export interface StreamClient {
  write(text: string): void;
  /** The bytes that were written and not sent yet. */
  readonly bufferedBytes: number;
  end(): void;
}

const maxPerTick = 100;
const slowTicks = 3;

/** One watched host: sends what changed since the last tick to all connections. */
export class HostWatch {
  readonly #clients = new Set<StreamClient>();
  readonly #lastSent = new Map<string, string>();
  /** What is being read, and in how many ticks it has not been answered. */
  readonly #reading = new Map<string, number>();
  readonly #failing = new Set<string>();
  readonly #unwatch: (() => void) | undefined;
  #known: ReadonlySet<string> = new Set();
  #position = -1;

  constructor(private readonly host: ConsoleHost) {
    this.#unwatch = host.lifecycle?.watch();
  }

  get isIdle(): boolean {
    return this.#clients.size === 0;
  }

  /** Sends the full state to a new connection, and what it missed to one that reconnects. */
  add(client: StreamClient, lastEventId?: string): void {
    this.#clients.add(client);
    client.write(`retry: 1000\n${message('host', JSON.stringify(this.host.about))}`);
    this.#sendLatest(client);
    this.#sendHistory(client);
    this.#sendMissed(client, positionIn(lastEventId));
    for (const [name, data] of this.#lastSent) client.write(message(name, data));
    this.tick();
  }

  remove(client: StreamClient): void {
    this.#clients.delete(client);
  }

  endSlowClients(maxBufferedBytes: number): void {
    for (const client of this.#clients) if (client.bufferedBytes > maxBufferedBytes) client.end();
  }

  endAll(): void {
    for (const client of this.#clients) client.end();
  }

  stop(): void {
    this.#unwatch?.();
  }

  tick(): void {
    // A sign of life: a page that gets none does not trust what it shows.
    this.#send(': \n\n');
    this.#noteSlowReads();
    const { lifecycle, actors, health, perspectives, outbox, system, overview } = this.host;
    if (lifecycle !== undefined) {
      this.#read(
        'requests',
        () => lifecycle.requests('', maxPerTick),
        (latest) => this.#sendNew(latest),
      );
      this.#publish('lifecycle', () => lifecycle.figures());
      this.#publish('inFlight', () => lifecycle.inFlight());
    }
    if (actors !== undefined) this.#publish('actors', actors);
    if (health !== undefined) this.#publish('health', health);
    if (overview !== undefined) this.#publish('overview', overview);
    if (perspectives !== undefined) {
      this.#publish('perspectives', () => perspectives.list());
    }
    if (outbox !== undefined) {
      this.#publish('outbox', () => outbox.figures());
    }
    if (system !== undefined) {
      this.#readOnce('system', async () => {
        const added = this.#position < 0 ? [] : await system.after(this.#position, maxPerTick);
        this.#position =
          added.at(-1)?.position ?? (this.#position < 0 ? await system.head() : this.#position);
        if (added.length > 0)
          this.#send(`id: ${this.#position}\n${message('records', JSON.stringify(added))}`);
        this.#sendIfChanged('head', this.#position);
      });
    }
  }

  #sendLatest(client: StreamClient): void {
    const send = (latest: readonly RequestItem[]): void => {
      if (latest.length > 0 && this.#clients.has(client))
        client.write(message('requests', JSON.stringify(latest)));
    };
    const latest = this.host.lifecycle?.requests('', maxPerTick) ?? [];
    if (latest instanceof Promise) latest.then(send, () => undefined);
    else send(latest);
  }

  /** What was counted before the page was opened. */
  #sendHistory(client: StreamClient): void {
    const send = (past: readonly PastCounts[]): void => {
      if (past.length > 0 && this.#clients.has(client))
        client.write(message('history', JSON.stringify(past)));
    };
    const past = this.host.lifecycle?.history() ?? [];
    if (past instanceof Promise) past.then(send, () => undefined);
    else send(past);
  }

  #sendNew(latest: readonly RequestItem[]): void {
    const added = latest.filter(({ id }) => !this.#known.has(id));
    this.#known = new Set(latest.map(({ id }) => id));
    if (added.length > 0) this.#send(message('requests', JSON.stringify(added)));
  }

  #sendMissed(client: StreamClient, since: number | undefined): void {
    const { system } = this.host;
    if (since === undefined || system === undefined) return;
    void system.after(since, maxPerTick).then(
      (records) => {
        if (this.#clients.has(client)) client.write(message('records', JSON.stringify(records)));
      },
      () => undefined,
    );
  }

  #publish(what: string, read: () => MaybePromise<unknown>): void {
    this.#read(what, read, (value) => this.#sendIfChanged(what, value));
  }

  /** A value that is available now is sent now. */
  #read<T>(what: string, read: () => MaybePromise<T>, send: (value: T) => void): void {
    if (this.#reading.has(what)) return;
    const value = read();
    if (value instanceof Promise) this.#readOnce(what, async () => send(await value));
    else send(value);
  }

  /** One read at a time: a slow store is not queried again meanwhile, and delays nothing else. */
  #readOnce(what: string, read: () => Promise<void>): void {
    if (this.#reading.has(what)) return;
    this.#reading.set(what, 0);
    read()
      .then(
        () => this.#failing.delete(what),
        () => this.#failing.add(what),
      )
      .finally(() => {
        this.#reading.delete(what);
        this.#sendFailing();
      });
  }

  /** A store that has stopped answers nothing, not even with an error. */
  #noteSlowReads(): void {
    for (const [what, ticks] of this.#reading) {
      this.#reading.set(what, ticks + 1);
      if (ticks + 1 >= slowTicks) this.#failing.add(what);
    }
    this.#sendFailing();
  }

  #sendFailing(): void {
    this.#sendIfChanged('trouble', [...this.#failing].sort());
  }

  #sendIfChanged(name: string, value: unknown): void {
    const data = JSON.stringify(value);
    if (this.#lastSent.get(name) === data) return;
    this.#lastSent.set(name, data);
    this.#send(message(name, data));
  }

  #send(text: string): void {
    for (const client of this.#clients) client.write(text);
  }
}

const message = (name: string, data: string): string => `event: ${name}\ndata: ${data}\n\n`;

const positionIn = (lastEventId: string | undefined): number | undefined =>
  /^\d{1,15}$/.test(lastEventId ?? '') ? Number(lastEventId) : undefined;
