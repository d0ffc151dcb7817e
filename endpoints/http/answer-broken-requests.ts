import type { Socket } from 'node:net';
import { type Connections, whenAnswered } from './connections.js';
import { answerBrokenRequest } from './http-failures.js';

/** Answers invalid requests, after the answers to earlier requests on the same connection. */
export function brokenRequests(connections: () => Connections): (error: Error, socket: Socket) => void {
  // What follows a broken request is broken too: answer once.
  const waiting = new WeakSet<Socket>();
  return (error, socket) => {
    // A complete request that arrived just before is registered only then.
    setImmediate(() => {
      if (connections().breakAfterPending(socket) || waiting.has(socket)) return;
      waiting.add(socket);
      if (!socket.writable) answerBrokenRequest(error, socket);
      else whenAnswered(socket, () => answerBrokenRequest(error, socket));
    });
  };
}
