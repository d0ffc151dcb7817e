import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Socket } from 'node:net';
import { duplicateHeaderIn } from '../access/header-refusal.js';
import { whenAnswered } from '../http/connections.js';

type TakeWebSocket = (request: IncomingMessage, socket: Duplex, head: Buffer) => void;

/** Accepts WebSockets at one path; other upgrades are declined, and their requests answered without them. */
export function takeWebSockets(server: Server, path: string, take: TakeWebSocket): void {
  server.on('upgrade', (request, socket: Socket, head) => {
    const wanted =
      request.headers.upgrade?.toLowerCase() === 'websocket' && duplicateHeaderIn(request) === undefined;
    // Node has detached its error listeners from the socket.
    const fail = (): void => void socket.destroy();
    socket.on('error', fail);
    // A pending answer would be written into the WebSocket, or never.
    whenAnswered(socket, () => {
      socket.off('error', fail);
      // The last answer set a timeout for an idle connection.
      socket.setTimeout(0);
      if (wanted && request.url?.split('?', 1)[0] === path) take(request, socket, head);
      else answerWithoutUpgrade(server, request, socket, head);
    });
  });
}

/**
 * With a listener for upgrades Node emits all of them, including the h2c offers that some clients send with every
 * request; put back on its connection, the request is parsed again.
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

/** `close` among the connection options still counts. */
const withoutOffer = (options: string): string =>
  options
    .split(',')
    .filter((option) => !upgradeHeaders.test(option.trim()))
    .join(',')
    .trim();
