import type { Msg, MsgHdrs } from 'nats';

/** Anybody may send headers that cannot be read; they say as much as none. */
export function headersIn(message: Msg): MsgHdrs | undefined {
  try {
    return message.headers;
  } catch {
    return undefined;
  }
}
