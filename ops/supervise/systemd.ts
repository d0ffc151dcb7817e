import { spawn } from 'node:child_process';
import { log } from '../../runtime/log.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** What systemd wants to know of a service of Type=notify. */
interface Notifier {
  ready(status: string): void;
  stopping(): void;
}

/** Silent where nobody listens. */
export function systemdNotifier(env: Environment = process.env): Notifier {
  if (env['NOTIFY_SOCKET'] === undefined) return { ready: () => undefined, stopping: () => undefined };
  return {
    ready: (status) => {
      notify('--ready', `--status=${status}`);
      const everyMs = watchdogMs(env);
      // An event loop that hangs does not tell, and systemd starts the service again.
      if (everyMs !== undefined) setInterval(() => notify('WATCHDOG=1'), everyMs).unref();
    },
    stopping: () => notify('STOPPING=1'),
  };
}

/** Half of what systemd allows, if it watches this process. */
export function watchdogMs(env: Environment, pid: number = process.pid): number | undefined {
  const microseconds = Number(env['WATCHDOG_USEC'] ?? Number.NaN);
  const isForUs = env['WATCHDOG_PID'] === undefined || env['WATCHDOG_PID'] === String(pid);
  return isForUs && microseconds > 0 ? microseconds / 2_000 : undefined;
}

/** Through systemd's own program: its socket is of a kind that Node cannot send to. */
function notify(...words: string[]): void {
  const child = spawn('systemd-notify', words, { stdio: 'ignore' });
  child.once('error', (err) => log.warn({ err: err.message }, 'systemd could not be told'));
  child.unref();
}
