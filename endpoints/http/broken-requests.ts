import type { Socket } from 'node:net';
import { type Connections, whenAnswered } from './connections.js';
import { answerBrokenRequest } from './http-failures.js';

/** Answers what never became a request, behind the answers to those that came before it on the same connection. */
export function brokenRequests(connections: () => Connections): (error: Error, socket: Socket) => void {
  // What comes behind something broken is broken, too: it is answered once.
  const waiting = new WeakSet<Socket>();
  return (error, socket) => {
    // A request that has come whole just before is being handled only then.
    setImmediate(() => {
      if (connections().breakAfterPending(socket) || waiting.has(socket)) return;
      waiting.add(socket);
      if (!socket.writable) answerBrokenRequest(error, socket);
      else whenAnswered(socket, () => answerBrokenRequest(error, socket));
    });
  };
}
