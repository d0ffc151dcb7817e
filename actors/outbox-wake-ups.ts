import { type EventObject, fromCallback } from 'xstate';
import type { Database, Session } from '../runtime/database/database.js';

/** `wake`: the log has grown, or a dead letter is to be replayed. `freed`: a relay has given up its lease. */
export type WakeUp = { readonly type: 'wake' } | { readonly type: 'freed' };

const reconnectMs = 1_000;

/** Listens on a connection of its own; while there is none, the poll of the relay does its work. */
export const outboxWakeUps = fromCallback<
  EventObject,
  { readonly database: Pick<Database, 'session'> },
  WakeUp
>(({ input, sendBack }) => {
  let stopped = false;
  let session: Session | undefined;
  let timer: NodeJS.Timeout | undefined;
  const again = (): void => {
    session = undefined;
    if (!stopped) timer = setTimeout(listen, reconnectMs);
  };
  const listen = (): void => {
    void openListener(input.database, (channel) => {
      if (!stopped) sendBack({ type: channel === 'svc' ? 'wake' : 'freed' });
    }).then((opened) => {
      if (stopped) return opened.release(true);
      session = opened;
      // Whatever came between the last poll and LISTEN.
      sendBack({ type: 'wake' });
      return opened.ended.then(again);
    }, again);
  };
  listen();
  return () => {
    stopped = true;
    clearTimeout(timer);
    session?.release(true);
  };
});

async function openListener(
  database: Pick<Database, 'session'>,
  heard: (channel: string) => void,
): Promise<Session> {
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
