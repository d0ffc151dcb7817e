import { writeSync } from 'node:fs';
import { type Debugger, type InspectorNotification, Session } from 'node:inspector';
import { workerData } from 'node:worker_threads';
import {
  RunningCommands,
  type RunningCommand,
} from '../../actors/commands/running-commands-shared-memory.js';
import { reportDescriptor, type BlockedLoopReport } from './blocked-loop-report.js';
import { locationOf } from './call-frame-location.js';
import { heartbeatEveryMs } from './ipc-messages.js';

/** The thread beside a host: reports on a pipe what the host does while its event loop is blocked. */
const watch = new RunningCommands(workerData as SharedArrayBuffer);
const supervisor = process.ppid;
const pollMs = 100;
/** Well before the supervisor replaces the host. */
const blockedAfterMs = heartbeatEveryMs + 300;

let lastHeartbeat = -1;
let lastHeartbeatAt = performance.now();
let isReported = false;

const report = (found: BlockedLoopReport): void => {
  try {
    writeSync(reportDescriptor, `${JSON.stringify(found)}\n`);
  } catch {
    // The pipe has no reader, or never had one.
  }
};

setInterval(() => {
  const seen = watch.read();
  if (seen.heartbeat !== lastHeartbeat) {
    [lastHeartbeat, lastHeartbeatAt, isReported] = [seen.heartbeat, performance.now(), false];
  } else if (performance.now() - lastHeartbeatAt > blockedAfterMs) {
    // A blocked host does not see that its supervisor has died, and nobody else would end it.
    if (process.ppid !== supervisor) process.kill(process.pid, 'SIGKILL');
    if (isReported) return;
    isReported = true;
    const { running, inFlight } = seen;
    const known = { inFlight, ...(running === undefined ? {} : { running }) };
    report({ ...known, isDiagnosing: running === undefined });
    pauseMainThread((closer) =>
      report({ ...known, ...closer, ...(running === undefined ? {} : { running }) }),
    );
  }
}, pollMs);

const findRunningCommand =
  "globalThis[Symbol.for('svc-runtime.running')]?.(this, typeof arguments === 'object' ? arguments[0] : undefined)";

/**
 * Interrupts the main thread for a moment to see which code it runs; a thread that waits in native code is not
 * interrupted.
 */
function pauseMainThread(onFound: (closer: Pick<BlockedLoopReport, 'running' | 'at'>) => void): void {
  const session = new Session();
  // Not every version of Node.js names the file in the frames of a pause.
  const files = new Map<string, string>();
  const onPaused = ({ params }: InspectorNotification<Debugger.PausedEventDataType>): void => {
    const at = locationOf(params.callFrames, files);
    let running: RunningCommand | undefined;
    for (const { callFrameId } of params.callFrames) {
      const ask = { callFrameId, expression: findRunningCommand, returnByValue: true, silent: true };
      const answered = (_: unknown, answer?: Debugger.EvaluateOnCallFrameReturnType): void => {
        running ??= answer?.result.value as RunningCommand | undefined;
      };
      session.post('Debugger.evaluateOnCallFrame', ask, answered);
    }
    session.post('Debugger.resume', () => {
      session.disconnect();
      onFound({
        ...(running === undefined ? {} : { running }),
        ...(at === undefined ? {} : { at }),
      });
    });
  };
  try {
    session.connectToMainThread();
    session.on('Debugger.scriptParsed', ({ params }) => files.set(params.scriptId, params.url));
    session.once('Debugger.paused', onPaused);
    session.post('Debugger.enable');
    session.post('Debugger.pause');
  } catch {
    // A process without a debugger is watched all the same.
  }
}
