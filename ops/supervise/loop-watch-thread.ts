import { writeSync } from 'node:fs';
import { type Debugger, type InspectorNotification, Session } from 'node:inspector';
import { workerData } from 'node:worker_threads';
import { CommandWatch, type RunningCommand } from '../../actors/commands/command-watch.js';
import { reportDescriptor, type LoopReport } from './loop-report.js';
import { beatEveryMs } from './messages.js';

/** The thread beside a host: says on a pipe what the host does while its loop does not turn. */
const watch = new CommandWatch(workerData as SharedArrayBuffer);
const lookMs = 100;
/** Well before the supervisor loses its patience. */
const noticedMs = beatEveryMs + 300;

let beat = -1;
let beatAt = performance.now();
let isReported = false;

const report = (found: LoopReport): void => {
  try {
    writeSync(reportDescriptor, `${JSON.stringify(found)}\n`);
  } catch {
    // Nobody reads any more, or nobody ever did.
  }
};

setInterval(() => {
  const seen = watch.read();
  if (seen.beat !== beat) {
    [beat, beatAt, isReported] = [seen.beat, performance.now(), false];
  } else if (!isReported && performance.now() - beatAt > noticedMs) {
    isReported = true;
    const { running, inFlight } = seen;
    const known = { inFlight, ...(running === undefined ? {} : { running }) };
    report({ ...known, isLooking: running === undefined });
    lookCloser((closer) => report({ ...known, ...closer, ...(running === undefined ? {} : { running }) }));
  }
}, lookMs);

const find =
  "globalThis[Symbol.for('svc-runtime.running')]?.(this, typeof arguments === 'object' ? arguments[0] : undefined)";

/** Interrupts the other thread for a moment, to see whose code it runs; one that waits in native code is not interrupted. */
function lookCloser(found: (closer: Pick<LoopReport, 'running' | 'at'>) => void): void {
  const session = new Session();
  const seen = ({ params }: InspectorNotification<Debugger.PausedEventDataType>): void => {
    const [top] = params.callFrames;
    let running: RunningCommand | undefined;
    for (const { callFrameId } of params.callFrames) {
      const ask = { callFrameId, expression: find, returnByValue: true, silent: true };
      const answered = (_: unknown, answer?: Debugger.EvaluateOnCallFrameReturnType): void => {
        running ??= answer?.result.value as RunningCommand | undefined;
      };
      session.post('Debugger.evaluateOnCallFrame', ask, answered);
    }
    session.post('Debugger.resume', () => {
      session.disconnect();
      found({
        ...(running === undefined ? {} : { running }),
        ...(top === undefined ? {} : { at: placeOf(top) }),
      });
    });
  };
  try {
    session.connectToMainThread();
    session.once('Debugger.paused', seen);
    session.post('Debugger.enable');
    session.post('Debugger.pause');
  } catch {
    // A process without a debugger is watched all the same.
  }
}

function placeOf({ functionName, url, location }: Debugger.CallFrame): string {
  const file = url.split('/').slice(-2).join('/');
  return `${functionName || 'a function'} (${file}:${location.lineNumber + 1})`;
}
