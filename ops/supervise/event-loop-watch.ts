import { Worker } from 'node:worker_threads';
import type { QuarantinedCommands } from '../../actors/commands/quarantined-commands.js';
import type { CommandGuard } from '../../actors/commands/command-handler.js';
import {
  RunningCommands,
  runningCommandsBytes,
} from '../../actors/commands/running-commands-shared-memory.js';
import { log } from '../../runtime/logging/log.js';
import { atHeartbeats } from './heartbeats.js';

/** The debugger of the watching thread finds the running command under this name. */
const runningName = 'svc-runtime.running';

/** Starts a thread that watches this one. */
export function watchEventLoop(quarantine: QuarantinedCommands): CommandGuard {
  const memory = new SharedArrayBuffer(runningCommandsBytes);
  const guard = { watch: new RunningCommands(memory), quarantine };
  const find = (self: unknown, first: unknown) => guard.watch.commandOf(self, first);
  Object.defineProperty(globalThis, Symbol.for(runningName), { value: find });
  atHeartbeats(() => guard.watch.heartbeat());
  const thread = new Worker(new URL('event-loop-watch-thread.js', import.meta.url), { workerData: memory });
  thread.unref();
  thread.on('error', (err) =>
    log.warn({ err }, 'the event loop is no longer watched: the watching thread has ended'),
  );
  return guard;
}
