import { livePositionText, type LivePosition } from '../../runtime/live/live-position.js';
import type { LiveMessage } from '../../runtime/live/watcher.js';

/** Why a server ends a stream. */
export type CloseReason = 'slow' | 'permission' | 'draining';

const frames = new WeakMap<LiveMessage, Buffer>();

/** A message as a server-sent event; its bytes are shared by all who get it. */
export function frameOf(message: LiveMessage): Buffer {
  const known = frames.get(message);
  if (known !== undefined) return known;
  const { at, event } = message;
  const frame = Buffer.from(`id: ${livePositionText(at)}\nevent: ${event}\ndata: ${dataOf(message)}\n\n`);
  frames.set(message, frame);
  return frame;
}

/** JSON has no line breaks. The model is JSON already. */
function dataOf(message: LiveMessage): string {
  if (message.event === 'changed') return `{"id":${JSON.stringify(message.key)},"row":${message.model}}`;
  return message.event === 'gone' ? JSON.stringify({ id: message.key }) : '{}';
}

/** Browsers wait this long before they reconnect. */
export const firstFrame = 'retry: 1000\n\n';

export const closedFrame = (reason: CloseReason): string =>
  `event: closed\ndata: ${JSON.stringify({ reason })}\n\n`;

/** Keeps proxies from closing an idle stream, and its position recent. */
export const heartbeatFrame = (at: LivePosition | undefined): string =>
  at === undefined ? ': \n\n' : `: \nid: ${livePositionText(at)}\n\n`;
