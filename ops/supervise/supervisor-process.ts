import { afterRunning } from '../../runtime/lang/after-running.js';
import { log, logListening } from '../../runtime/logging/log.js';
import type { Config } from '../config/config.js';
import { printConsoleLink } from '../config/generated-token.js';
import { HostSupervisor, type SuperviseOptions } from './host-supervisor.js';
import { systemdNotifier } from './systemd.js';

/** Longer than a host drains that has a processor, and shorter than systemd waits. */
const stopWithinMs = 25_000;

/** Supervises hosts until a signal or a final failure: SIGHUP restarts them one by one, SIGTERM drains all. */
export async function runSupervisorProcess(options: SuperviseOptions, config: Config): Promise<void> {
  const supervisor = new HostSupervisor(options, config);
  const systemd = systemdNotifier();
  let stopping = false;
  const stop = (signal: string): void => {
    if (stopping) return;
    stopping = true;
    log.info({ signal }, 'draining all hosts');
    systemd.stopping();
    endWith(0, supervisor.stop());
  };
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, stop);
  process.on('SIGHUP', () => void supervisor.reload());
  void supervisor.ended.then((failure) => {
    if (failure === undefined) return;
    log.fatal({ err: failure }, 'the supervisor gives up');
    endWith(1, supervisor.stop());
  });
  try {
    const url = await supervisor.start();
    logListening({ url, hosts: options.hosts, pid: process.pid });
    printConsoleLink(url, config);
    systemd.ready(`${options.hosts} hosts at ${url}`);
  } catch (error) {
    // A start interrupted by a signal is not a failure.
    if (stopping) return;
    await supervisor.stop().catch((err: unknown) => log.warn({ err }, 'undoing a failed start failed'));
    throw error;
  }
}

function endWith(code: number, stopped: Promise<void>): void {
  afterRunning(stopWithinMs, () => {
    log.error('stopping took too long');
    process.exit(1);
  });
  stopped.then(
    () => {
      log.info('stopped');
      process.exit(code);
    },
    (err: unknown) => {
      log.error({ err }, 'stopping failed');
      process.exit(1);
    },
  );
}
