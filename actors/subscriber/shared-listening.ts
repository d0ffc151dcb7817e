import type { ListeningSession, SessionSource } from '../outbox/outbox-wake-ups.js';

interface Shared {
  readonly session: Promise<ListeningSession>;
  readonly listeners: Set<(channel: string) => void>;
  borrowers: number;
}

/** Lends one connection to everyone who listens for wake-ups: the channels are the same for all. */
export function sharedListening(source: SessionSource): SessionSource {
  let shared: Shared | undefined;
  const share = (): Shared => {
    if (shared !== undefined) return shared;
    const listeners = new Set<(channel: string) => void>();
    const opened: Shared = { session: openListener(source, listeners), listeners, borrowers: 0 };
    const forget = (): void => {
      if (shared === opened) shared = undefined;
    };
    void opened.session.then(({ ended }) => ended.then(forget), forget);
    return (shared = opened);
  };
  return {
    session: async () => {
      const from = share();
      from.borrowers++;
      const session = await from.session;
      let mine: ((channel: string) => void) | undefined;
      let isBack = false;
      return {
        // It listens already.
        rows: () => Promise.resolve([]),
        onNotification: (listener) => {
          mine = listener;
          from.listeners.add(listener);
        },
        ended: session.ended,
        release: () => {
          if (isBack) return;
          isBack = true;
          if (mine !== undefined) from.listeners.delete(mine);
          if (--from.borrowers > 0) return;
          if (shared === from) shared = undefined;
          session.release(true);
        },
      };
    },
  };
}

async function openListener(
  source: SessionSource,
  listeners: ReadonlySet<(channel: string) => void>,
): Promise<ListeningSession> {
  const session = await source.session();
  try {
    session.onNotification((channel) => {
      for (const listener of listeners) listener(channel);
    });
    for (const channel of ['svc', 'svc_lease']) await session.rows({ text: `LISTEN ${channel}` });
    return session;
  } catch (error) {
    session.release(true);
    throw error;
  }
}
