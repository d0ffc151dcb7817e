import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { WebSocket } from 'ws';
import { Inspection, type InspectionOptions } from '../inspection/inspection.js';
import { type Bakery, type Kitchen, withBakery } from './bakery.js';
import { Inspector, type InspectorOptions } from '../routes/inspector.js';

interface Inspected extends Bakery {
  readonly inspection: Inspection;
  readonly inspector: Inspector;
  readonly ws: string;
}

type Setup = Kitchen & Partial<InspectionOptions> & InspectorOptions;

export async function withInspector(setup: Setup, body: (bakery: Inspected) => Promise<void>): Promise<void> {
  const inspection = new Inspection({ host: 'oven-1', tracesPerSecond: 100_000, ...setup });
  const inspector = new Inspector(inspection.feed, setup);
  await withBakery({ ...setup, inspection, http: { routes: [inspector.route] } }, async (bakery) => {
    const ws = `${bakery.url.replace('http', 'ws')}/inspect`;
    try {
      await body({ ...bakery, inspection, inspector, ws });
    } finally {
      inspector.stop();
    }
  });
}

export interface Frame {
  readonly type: string;
  readonly rootId: string;
  readonly sessionId: string;
  readonly definition?: string;
  readonly snapshot?: { readonly value?: string; readonly status: string };
}

/** A client that collects what the socket sends. */
export async function attach(url: string, headers: Record<string, string> = {}) {
  const socket = new WebSocket(url, { headers });
  const frames: Frame[] = [];
  socket.on('message', (data: Buffer) => void frames.push(JSON.parse(data.toString()) as Frame));
  socket.on('error', () => undefined);
  const closed = new Promise<number>((resolve) => void socket.once('close', resolve));
  const open = new Promise<void>((resolve) => void socket.once('open', resolve));
  await Promise.race([open, closed]);
  return { socket, frames, closed };
}

/** The HTTP status of a handshake. */
export const answerTo = (url: string, headers: Record<string, string> = {}): Promise<number> =>
  new Promise((resolve) => {
    const socket = new WebSocket(url, { headers });
    socket.on('error', () => undefined);
    socket.once('unexpected-response', (_, response) => {
      resolve(response.statusCode ?? 0);
      socket.terminate();
    });
    socket.once('open', () => {
      resolve(101);
      socket.terminate();
    });
  });

export const statesOf = (frames: readonly Frame[], rootId: string): unknown[] =>
  frames
    .filter(({ type, sessionId }) => type === '@xstate.snapshot' && sessionId === rootId)
    .map(({ snapshot }) => snapshot?.value);

export const isDone = ({ rootId, sessionId, snapshot }: Frame): boolean =>
  rootId === sessionId && snapshot?.status === 'done';

/** A WebSocket as a raw connection. */
export async function handshake(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const key = randomBytes(16).toString('base64');
  socket.on('error', () => undefined);
  socket.write(
    `GET /inspect HTTP/1.1\r\nHost: ${hostname}:${port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${key}\r\n\r\n`,
  );
  await once(socket, 'data');
  return socket;
}
