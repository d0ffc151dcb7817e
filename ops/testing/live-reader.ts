import { setTimeout as delay } from 'node:timers/promises';
import { until } from '../../runtime/kit/until.js';

/** One server-sent event. */
export interface LiveEvent {
  readonly id: string;
  readonly event: string;
  readonly data: { readonly id?: string; readonly row?: Record<string, unknown>; readonly reason?: string };
  /** When it arrived. */
  readonly at: number;
}

/** Reads one stream until it is closed; keeps what came. */
export class LiveReader {
  readonly events: LiveEvent[] = [];
  lastId = '';
  isEnded = false;
  readonly #abort = new AbortController();

  private constructor(readonly response: Response) {
    void this.#read().finally(() => {
      this.isEnded = true;
    });
  }

  static async open(url: string, headers: Record<string, string> = {}): Promise<LiveReader> {
    const reader = new LiveReader(await fetch(url, { headers }));
    return reader;
  }

  /** The events of one kind. */
  of(kind: string): readonly LiveEvent[] {
    return this.events.filter(({ event }) => event === kind);
  }

  async has(count: number, kind: string): Promise<readonly LiveEvent[]> {
    await until(() => this.of(kind).length >= count);
    return this.of(kind);
  }

  async ended(): Promise<void> {
    await until(() => this.isEnded);
  }

  async close(): Promise<void> {
    this.#abort.abort();
    await this.response.body?.cancel().catch(() => undefined);
    await delay(0);
  }

  async #read(): Promise<void> {
    const { body } = this.response;
    if (body === null) return;
    const reader = body.pipeThrough(new TextDecoderStream()).getReader();
    this.#abort.signal.addEventListener('abort', () => void reader.cancel().catch(() => undefined));
    let rest = '';
    try {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        const blocks = (rest + value).split('\n\n');
        rest = blocks.pop() ?? '';
        for (const block of blocks) this.#take(block);
      }
    } catch {
      // The connection was cut: what came is kept.
    }
  }

  #take(block: string): void {
    const fields = new Map(
      block.split('\n').map((line) => {
        const [name = '', ...value] = line.split(': ');
        return [name, value.join(': ')] as const;
      }),
    );
    const id = fields.get('id');
    if (id !== undefined) this.lastId = id;
    const event = fields.get('event');
    if (event === undefined) return;
    const data = JSON.parse(fields.get('data') ?? '{}') as LiveEvent['data'];
    this.events.push({ id: id ?? '', event, data, at: Date.now() });
  }
}
