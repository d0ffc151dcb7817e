import { afterRunning } from '../../runtime/lang/after-running.js';
import { log } from '../../runtime/logging/log.js';
import { mustHaveAmqpClient } from '../../runtime/probes/amqp.js';
import type { Config } from '../config/config.js';
import { onStopSignal } from '../service/stop-signals.js';
import type { Host } from './host.js';

const drainWithinMs = 10_000;
/** A PostgreSQL server that is just being launched has to come up before it can be stopped. */
const undoWithinMs = 25_000;
/** How long readiness fails before the host stops accepting: load balancers see a 503 and no refused connection. */
const unreadyBeforeStopMs = 1_000;

/** Runs one host until SIGTERM or SIGINT drains it, or undoes its start, and ends the process with 0. */
export async function runHostProcess<T extends Host>(
  { amqpUrl }: Pick<Config, 'amqpUrl'>,
  start: (interruption: AbortSignal) => Promise<T>,
  announce: (host: T) => void,
): Promise<void> {
  // Check before connecting: a host that cannot start must not migrate anything.
  if (amqpUrl !== undefined) mustHaveAmqpClient();
  const interruption = new AbortController();
  const starting = start(interruption.signal);
  let isStarting = true;
  onStopSignal((signal) => {
    log.info({ signal }, 'draining');
    if (isStarting) void endStart(starting, interruption);
    else void endProcess(starting, 0);
  });
  // A forgotten promise harms its own request at most; the host keeps serving.
  process.on('unhandledRejection', (err) => {
    log.error({ err }, 'a promise rejection was not handled');
  });
  process.on('uncaughtException', (err) => {
    log.fatal({ err }, 'an exception was not caught; the host exits');
    void endProcess(starting, 1);
  });
  const host = await starting.catch((error: unknown) => {
    if (!interruption.signal.aborted) throw error;
  });
  isStarting = false;
  if (host === undefined || interruption.signal.aborted) return;
  void host.ended.then((failure) => {
    if (failure === undefined) return;
    log.fatal({ err: failure }, 'the host gives up');
    void endProcess(starting, 1);
  });
  announce(host);
}

/** Undoes a start that was interrupted: nobody has been served, so nobody has to be warned. */
async function endStart(starting: Promise<Host>, interruption: AbortController): Promise<void> {
  setTimeout(() => {
    log.warn('undoing the start took too long');
    process.exit(0);
  }, undoWithinMs).unref();
  interruption.abort();
  await starting
    .then((host) => host.stop())
    .catch((err: unknown) => log.debug({ err }, 'the start was undone'));
  log.info('stopped');
  process.exit(0);
}

async function endProcess(starting: Promise<Host>, code: number): Promise<void> {
  let stopping = (): readonly string[] => [];
  afterRunning(drainWithinMs, () => {
    log.error({ stopping: stopping() }, 'draining took too long');
    process.exit(code === 0 ? 1 : code);
  });
  try {
    const host = await starting;
    stopping = () => host.tree.filter(({ state }) => state === 'stopping').map(({ name }) => name);
    host.announceStop();
    await new Promise<void>((resolve) => void afterRunning(unreadyBeforeStopMs, resolve));
    await host.stop();
    log.info('stopped');
    process.exit(code);
  } catch (err) {
    log.error({ err }, 'stopping failed');
    process.exit(1);
  }
}
