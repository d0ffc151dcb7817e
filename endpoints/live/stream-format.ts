import type { LivePosition } from '../../runtime/live/live-position.js';
import type { LiveMessage } from '../../runtime/live/watcher.js';
import { type CloseReason, closedFrame, frameOf, heartbeatFrame } from './event-frames.js';

/** How a stream writes what it sends. */
export interface StreamFormat {
  frameOf(message: LiveMessage): Buffer | string;
  /** Keeps proxies from closing an idle stream, and its position recent. */
  heartbeat(at: LivePosition | undefined): string;
  closed(reason: CloseReason): string;
}

/** The events of the live routes. */
export const plainFormat: StreamFormat = { frameOf, heartbeat: heartbeatFrame, closed: closedFrame };
