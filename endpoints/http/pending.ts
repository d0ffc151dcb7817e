import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** Where Node keeps the answer that a connection is waiting for; the next one moves up before this one is closed. */
interface Answering extends Duplex {
  readonly _httpMessage?: ServerResponse | null;
}

/** Calls back when every request that has come whole on this connection is answered; never, when the connection ends first. */
export function whenAnswered(socket: Answering, then: () => void): void {
  const { _httpMessage: pending } = socket;
  // One that is broken in its body is not waited for: it is what broke.
  if (pending?.req.complete === true) pending.once('close', () => whenAnswered(socket, then));
  else if (!socket.destroyed) then();
}
