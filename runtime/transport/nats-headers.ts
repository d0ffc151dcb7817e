import type { Msg, MsgHdrs } from 'nats';

/** Anyone may send unreadable headers; they are treated as absent. */
export function headersIn(message: Msg): MsgHdrs | undefined {
  try {
    return message.headers;
  } catch {
    return undefined;
  }
}
