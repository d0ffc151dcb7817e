import { spawn } from 'node:child_process';
import { log } from '../../runtime/logging/log.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** The notifications of a service with Type=notify. */
interface Notifier {
  ready(status: string): void;
  stopping(): void;
}

/** Does nothing if systemd does not listen. */
export function systemdNotifier(env: Environment = process.env): Notifier {
  if (env['NOTIFY_SOCKET'] === undefined) return { ready: () => undefined, stopping: () => undefined };
  return {
    ready: (status) => {
      notify('--ready', `--status=${status}`);
      const everyMs = watchdogMs(env);
      // A blocked event loop sends no heartbeat, and systemd restarts the service.
      if (everyMs !== undefined) setInterval(() => notify('WATCHDOG=1'), everyMs).unref();
    },
    stopping: () => notify('STOPPING=1'),
  };
}

/** Half the interval that systemd allows, if it watches this process. */
export function watchdogMs(env: Environment, pid: number = process.pid): number | undefined {
  const microseconds = Number(env['WATCHDOG_USEC'] ?? Number.NaN);
  const isForUs = env['WATCHDOG_PID'] === undefined || env['WATCHDOG_PID'] === String(pid);
  return isForUs && microseconds > 0 ? microseconds / 2_000 : undefined;
}

/** Uses systemd's own program: Node.js cannot send to this kind of socket. */
function notify(...words: string[]): void {
  const child = spawn('systemd-notify', words, { stdio: 'ignore' });
  child.once('error', (err) => log.warn({ err: err.message }, 'systemd could not be notified'));
  child.unref();
}
