import { setTimeout as delay } from 'node:timers/promises';
import { type LiveEvent, LiveReader } from './live-reader.js';

/** A client that watches a list, reconnects whenever its stream ends, and keeps every change. */
export class ReconnectingWatcher {
  connections = 0;
  readonly #kept: LiveEvent[] = [];
  readonly #running: Promise<void>;
  #reader: LiveReader | undefined;
  #lastId = '';
  #isOver = false;

  constructor(
    /** Where the next connection goes. */
    private readonly urlOf: () => string,
  ) {
    this.#running = this.#run();
  }

  /** Whether the first stream is ready: from here on nothing may be missed. */
  get isReady(): boolean {
    return this.#lastId !== '' || (this.#reader?.lastId ?? '') !== '';
  }

  get isConnected(): boolean {
    return this.#reader?.isEnded === false;
  }

  /** Changes and resets, in the order in which they came. */
  get events(): readonly LiveEvent[] {
    return [...this.#kept, ...(this.#reader?.events ?? [])];
  }

  get positions(): readonly number[] {
    return this.events.filter(({ event }) => event === 'changed').map(positionOf);
  }

  get resets(): number {
    return this.events.filter(({ event }) => event === 'reset').length;
  }

  /** Cuts the connection, as a network does. */
  async cut(): Promise<void> {
    await this.#reader?.close();
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.cut();
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#isOver) {
      const headers: Record<string, string> = this.#lastId === '' ? {} : { 'last-event-id': this.#lastId };
      const reader = await LiveReader.open(this.urlOf(), headers).catch(() => undefined);
      if (reader?.response.status !== 200) {
        await reader?.close();
        await delay(20);
        continue;
      }
      this.connections++;
      this.#reader = reader;
      while (!reader.isEnded && !this.#isOver) await delay(5);
      await reader.close();
      this.#keep(reader);
    }
  }

  #keep(reader: LiveReader): void {
    this.#reader = undefined;
    this.#kept.push(...reader.events);
    if (reader.lastId !== '') this.#lastId = reader.lastId;
  }
}

/** Where the log was then. */
export const positionOf = ({ id }: LiveEvent): number => Number.parseInt(id, 10);
