import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Socket } from 'node:net';
import { hasDuplicateHost } from '../access/duplicate-host-header.js';
import { whenAnswered } from './connections.js';

type TakeWebSocket = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

/** Takes WebSockets at one path; every other offer of an upgrade is declined: the request is answered as if it had none. */
export function takeWebSockets(server: Server, path: string, take: TakeWebSocket): void {
  server.on('upgrade', (request, socket: Socket, head) => {
    const wanted = request.headers.upgrade?.toLowerCase() === 'websocket' && !hasDuplicateHost(request);
    // Node has let go of the connection, and with it of what would hear its errors.
    const fail = (): void => void socket.destroy();
    socket.on('error', fail);
    // An answer that is still to come would be written into the WebSocket, or never.
    whenAnswered(socket, () => {
      socket.off('error', fail);
      // Set by the last answer, for a connection that would be idle now.
      socket.setTimeout(0);
      if (wanted && request.url?.split('?', 1)[0] === path) take(request, socket, head);
      else answerWithoutUpgrade(server, request, socket, head);
    });
  });
}

/**
 * With somebody listening for upgrades Node hands all of them over, also the h2c offers that
 * some clients make with every request; put back on its connection, the request is read anew.
 */
function answerWithoutUpgrade(server: Server, request: IncomingMessage, socket: Duplex, head: Buffer): void {
  const lines = [`${request.method ?? 'GET'} ${request.url ?? '/'} HTTP/${request.httpVersion}`];
  for (let n = 0; n + 1 < request.rawHeaders.length; n += 2) {
    const [name = '', value = ''] = request.rawHeaders.slice(n, n + 2);
    const kept = /^connection$/i.test(name) ? withoutOffer(value) : value;
    if (!upgradeHeaders.test(name) && kept !== '') lines.push(`${name}: ${kept}`);
  }
  socket.unshift(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), head]));
  server.emit('connection', socket);
}

const upgradeHeaders = /^(?:upgrade|http2-settings)$/i;

/** `close` among the options of a connection still counts. */
const withoutOffer = (options: string): string =>
  options
    .split(',')
    .filter((option) => !upgradeHeaders.test(option.trim()))
    .join(',')
    .trim();
