import type { Session } from './database.js';
import { channels } from './notify.js';

export type ListeningSession = Pick<Session, 'rows' | 'onNotification' | 'ended' | 'release'>;

/** Provides a connection to listen on. */
export interface SessionSource {
  session(): Promise<ListeningSession>;
}

export type NotificationSource = Pick<Notifications, 'subscribe'>;

interface Subscriber {
  readonly notify: Notified;
}

type Notified = (channel: string, payload?: string) => void;

const reconnectMs = 1_000;

/** One connection listens for all subscribers while there are any; a lost one is reopened. */
export class Notifications {
  readonly #subscribers = new Set<Subscriber>();
  #session: ListeningSession | undefined;
  /** Aborted with the last subscriber. */
  #listening: AbortController | undefined;
  #retry: NodeJS.Timeout | undefined;

  constructor(private readonly source: SessionSource) {}

  /**
   * Returns the function that unsubscribes. Once it listens, every channel is reported for what was
   * committed before.
   */
  subscribe(notify: Notified): () => void {
    const subscriber = { notify };
    this.#subscribers.add(subscriber);
    if (this.#listening === undefined) this.#start();
    else if (this.#session !== undefined) queueMicrotask(() => this.#reportEarlier(subscriber));
    return () => {
      if (this.#subscribers.delete(subscriber) && this.#subscribers.size === 0) this.#stop();
    };
  }

  #start(): void {
    this.#listening = new AbortController();
    void this.#listen(this.#listening.signal);
  }

  #stop(): void {
    this.#listening?.abort();
    this.#listening = undefined;
    clearTimeout(this.#retry);
    this.#session?.release(true);
    this.#session = undefined;
  }

  async #listen(signal: AbortSignal): Promise<void> {
    const session = await openListener(this.source, (...notified) => this.#report(...notified)).catch(
      () => undefined,
    );
    if (signal.aborted) return session?.release(true);
    this.#session = session;
    if (session !== undefined) {
      for (const subscriber of this.#subscribers) this.#reportEarlier(subscriber);
      await session.ended;
      if (signal.aborted) return;
      this.#session = undefined;
      session.release(true);
    }
    this.#retry = setTimeout(() => void this.#listen(signal), reconnectMs);
  }

  #report(...notified: Parameters<Notified>): void {
    for (const { notify } of this.#subscribers) notify(...notified);
  }

  #reportEarlier(subscriber: Subscriber): void {
    for (const channel of channels) if (this.#subscribers.has(subscriber)) subscriber.notify(channel);
  }
}

async function openListener(source: SessionSource, notify: Notified): Promise<ListeningSession> {
  const session = await source.session();
  try {
    session.onNotification(notify);
    for (const channel of channels) await session.rows({ text: `LISTEN ${channel}` });
    return session;
  } catch (error) {
    session.release(true);
    throw error;
  }
}
