import { type EventObject, fromCallback } from 'xstate';
import type { Session } from '../../runtime/database/database.js';

/** `wake`: the log has grown, or a dead letter is to be replayed. `freed`: a relay has given up its lease. */
export type WakeUp = { readonly type: 'wake' } | { readonly type: 'freed' };

export type ListeningSession = Pick<Session, 'rows' | 'onNotification' | 'ended' | 'release'>;

/** Lends a connection to listen on. */
export interface SessionSource {
  session(): Promise<ListeningSession>;
}

const reconnectMs = 1_000;

export interface WakeUpInput {
  readonly database: SessionSource;
  /** Nothing else is reported. */
  readonly only?: WakeUp['type'];
}

/** Listens on a connection of its own; while there is none, the poll of the relay does its work. */
export const outboxWakeUps = fromCallback<EventObject, WakeUpInput, WakeUp>(({ input, sendBack }) => {
  let stopped = false;
  let session: ListeningSession | undefined;
  let timer: NodeJS.Timeout | undefined;
  const letGo = (): void => {
    session?.release(true);
    session = undefined;
  };
  const again = (): void => {
    letGo();
    if (!stopped) timer = setTimeout(listen, reconnectMs);
  };
  const report = (type: WakeUp['type']): void => {
    if (!stopped && (input.only ?? type) === type) sendBack({ type });
  };
  const listen = (): void => {
    void openListener(input.database, (channel) => report(channel === 'svc' ? 'wake' : 'freed')).then(
      (opened) => {
        session = opened;
        if (stopped) return letGo();
        // Whatever came between the last poll and LISTEN.
        report('wake');
        return opened.ended.then(again);
      },
      again,
    );
  };
  listen();
  return () => {
    stopped = true;
    clearTimeout(timer);
    letGo();
  };
});

async function openListener(
  database: SessionSource,
  heard: (channel: string) => void,
): Promise<ListeningSession> {
  const session = await database.session();
  try {
    session.onNotification(heard);
    await session.rows({ text: 'LISTEN svc' });
    await session.rows({ text: 'LISTEN svc_lease' });
    return session;
  } catch (error) {
    session.release(true);
    throw error;
  }
}
