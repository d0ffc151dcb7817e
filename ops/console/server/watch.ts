import type { RequestLine } from '../model/requests.js';
import type { Soon } from '../model/soon.js';
import type { ConsoleHost } from '../model/source.js';

/** Where news goes: one open connection. */
export interface Outlet {
  write(text: string): void;
  /** What was written and has not left yet. */
  readonly bufferedBytes: number;
  end(): void;
}

const mostAtOnce = 100;

/** One host as those who look at it see it: what changed since the last tick goes to all of them. */
export class Watch {
  readonly #outlets = new Set<Outlet>();
  readonly #told = new Map<string, string>();
  readonly #asking = new Set<string>();
  readonly #troubled = new Set<string>();
  readonly #unwatch: (() => void) | undefined;
  #known: ReadonlySet<string> = new Set();
  #position = -1;

  constructor(private readonly host: ConsoleHost) {
    this.#unwatch = host.lifecycle?.watch();
  }

  get isIdle(): boolean {
    return this.#outlets.size === 0;
  }

  /** Tells the newcomer everything as it stands; one that comes back also what it missed. */
  add(outlet: Outlet, lastEventId?: string): void {
    this.#outlets.add(outlet);
    outlet.write(`retry: 1000\n${message('host', JSON.stringify(this.host.about))}`);
    this.#tellLatest(outlet);
    this.#tellMissed(outlet, positionIn(lastEventId));
    for (const [name, data] of this.#told) outlet.write(message(name, data));
    this.tick();
  }

  remove(outlet: Outlet): void {
    this.#outlets.delete(outlet);
  }

  cutThoseBehind(mostBufferedBytes: number): void {
    for (const outlet of this.#outlets) if (outlet.bufferedBytes > mostBufferedBytes) outlet.end();
  }

  endAll(): void {
    for (const outlet of this.#outlets) outlet.end();
  }

  stop(): void {
    this.#unwatch?.();
  }

  tick(): void {
    // Also what keeps a silent connection open.
    this.#tell(': \n\n');
    const { lifecycle, actors, health, perspectives, outbox, system, overview } = this.host;
    if (lifecycle !== undefined) {
      this.#look(
        'requests',
        () => lifecycle.requests('', mostAtOnce),
        (latest) => this.#tellNews(latest),
      );
      this.#follow('lifecycle', () => lifecycle.figures());
    }
    if (actors !== undefined) this.#follow('actors', actors);
    if (health !== undefined) this.#follow('health', health);
    if (overview !== undefined) this.#follow('overview', overview);
    if (perspectives !== undefined) {
      this.#follow('perspectives', () => perspectives.list());
    }
    if (outbox !== undefined) {
      this.#follow('outbox', () => outbox.figures());
    }
    if (system !== undefined) {
      this.#ask('system', async () => {
        const news = this.#position < 0 ? [] : await system.after(this.#position, mostAtOnce);
        this.#position = news.at(-1)?.position ?? (this.#position < 0 ? await system.head() : this.#position);
        if (news.length > 0) this.#tell(`id: ${this.#position}\n${message('records', JSON.stringify(news))}`);
        this.#change('head', this.#position);
      });
    }
  }

  #tellLatest(outlet: Outlet): void {
    const tell = (latest: readonly RequestLine[]): void => {
      if (latest.length > 0 && this.#outlets.has(outlet))
        outlet.write(message('requests', JSON.stringify(latest)));
    };
    const latest = this.host.lifecycle?.requests('', mostAtOnce) ?? [];
    if (latest instanceof Promise) latest.then(tell, () => undefined);
    else tell(latest);
  }

  #tellNews(latest: readonly RequestLine[]): void {
    const news = latest.filter(({ id }) => !this.#known.has(id));
    this.#known = new Set(latest.map(({ id }) => id));
    if (news.length > 0) this.#tell(message('requests', JSON.stringify(news)));
  }

  #tellMissed(outlet: Outlet, since: number | undefined): void {
    const { system } = this.host;
    if (since === undefined || system === undefined) return;
    void system.after(since, mostAtOnce).then(
      (records) => {
        if (this.#outlets.has(outlet)) outlet.write(message('records', JSON.stringify(records)));
      },
      () => undefined,
    );
  }

  #follow(what: string, read: () => Soon<unknown>): void {
    this.#look(what, read, (value) => this.#change(what, value));
  }

  /** What is there at once is told at once. */
  #look<T>(what: string, read: () => Soon<T>, tell: (value: T) => void): void {
    if (this.#asking.has(what)) return;
    const value = read();
    if (value instanceof Promise) this.#ask(what, async () => tell(await value));
    else tell(value);
  }

  /** Once at a time: a store that answers slowly is not asked again meanwhile, and keeps nothing else waiting. */
  #ask(what: string, read: () => Promise<void>): void {
    if (this.#asking.has(what)) return;
    this.#asking.add(what);
    read()
      .then(
        () => this.#troubled.delete(what),
        () => this.#troubled.add(what),
      )
      .finally(() => {
        this.#asking.delete(what);
        this.#change('trouble', [...this.#troubled].sort());
      });
  }

  #change(name: string, value: unknown): void {
    const data = JSON.stringify(value);
    if (this.#told.get(name) === data) return;
    this.#told.set(name, data);
    this.#tell(message(name, data));
  }

  #tell(text: string): void {
    for (const outlet of this.#outlets) outlet.write(text);
  }
}

const message = (name: string, data: string): string => `event: ${name}\ndata: ${data}\n\n`;

const positionIn = (lastEventId: string | undefined): number | undefined =>
  /^\d{1,15}$/.test(lastEventId ?? '') ? Number(lastEventId) : undefined;
