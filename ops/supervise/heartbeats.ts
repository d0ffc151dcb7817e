import { subscribe } from 'node:diagnostics_channel';
import { heartbeatEveryMs } from './ipc-messages.js';

/**
 * Calls back at intervals. A turn of the event loop may read thousands of requests and runs no timer meanwhile: while
 * requests begin, it is not blocked.
 */
export function atHeartbeats(beat: () => void): void {
  let last = performance.now();
  const run = (): void => {
    last = performance.now();
    beat();
  };
  setInterval(run, heartbeatEveryMs).unref();
  subscribe('http.server.request.start', () => {
    if (performance.now() - last >= heartbeatEveryMs) run();
  });
}
