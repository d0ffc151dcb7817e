import { setTimeout as delay } from 'node:timers/promises';
import { Problem } from '../../contracts/problems.js';
import { log } from '../../runtime/log.js';
import { mustHaveAmqpClient } from '../../runtime/probes/amqp.js';
import type { Config } from '../config.js';
import type { Host } from './host.js';

const drainWithinMs = 10_000;
/** How long readiness fails before the host stops accepting: load balancers see a 503 and no refused connection. */
const unreadyBeforeStopMs = 1_000;

/** Runs one host until SIGTERM or SIGINT drains it and ends the process with 0. */
export async function runHostProcess<T extends Host>(
  { amqpUrl }: Pick<Config, 'amqpUrl'>,
  start: (ending: AbortSignal) => Promise<T>,
  announce: (host: T) => void,
): Promise<void> {
  // Check before connecting: a host that cannot start must not migrate anything.
  if (amqpUrl !== undefined) mustHaveAmqpClient();
  const ending = new AbortController();
  const starting = start(ending.signal);
  // Ignore repeated signals: a terminal and npm each send the same Ctrl-C.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      log.info({ signal }, 'draining');
      ending.abort();
      void endProcess(starting, ending.signal, 0);
    });
  }
  // A forgotten promise harms its own request at most; the host keeps serving.
  process.on('unhandledRejection', (err) => {
    log.error({ err }, 'a promise rejection was not handled');
  });
  process.on('uncaughtException', (err) => {
    log.fatal({ err }, 'an exception was not caught; the host exits');
    void endProcess(starting, ending.signal, 1);
  });
  const host = await starting.catch(allowGivenUp(ending.signal));
  if (host === undefined) return;
  void host.ended.then((failure) => {
    if (failure === undefined) return;
    log.fatal({ err: failure }, 'the host gives up');
    void endProcess(starting, ending.signal, 1);
  });
  announce(host);
}

/** A start that was given up because of a signal is no failure. */
const allowGivenUp =
  (ending: AbortSignal) =>
  (error: unknown): undefined => {
    if (!ending.aborted || !(error instanceof Problem) || error.code !== 'draining') throw error;
  };

async function endProcess(starting: Promise<Host>, ending: AbortSignal, code: number): Promise<void> {
  setTimeout(() => {
    log.error('draining took too long');
    process.exit(code === 0 ? 1 : code);
  }, drainWithinMs).unref();
  try {
    const host = await starting.catch(allowGivenUp(ending));
    host?.announceStop();
    if (host !== undefined) await delay(unreadyBeforeStopMs);
    await host?.stop();
    log.info('stopped');
    process.exit(code);
  } catch (err) {
    log.error({ err }, 'stopping failed');
    process.exit(1);
  }
}
