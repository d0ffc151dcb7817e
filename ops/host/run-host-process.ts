import { setTimeout as delay } from 'node:timers/promises';
import type { ServiceDefinition } from '../../endpoints/service-definition.js';
import { log } from '../../runtime/log.js';
import { mustHaveAmqpClient } from '../../runtime/probes/amqp.js';
import type { Config } from '../config.js';
import { type Host, startHost } from './host.js';
import type { HostExtensions } from './host-extensions.js';

const drainWithinMs = 10_000;
/** How long readiness fails before the host stops accepting: load balancers see a 503 and no refused connection. */
const unreadyBeforeStopMs = 1_000;

/** Runs one host until SIGTERM or SIGINT drains it and ends the process with 0. */
export async function runHostProcess(
  definition: ServiceDefinition,
  config: Config,
  announce: (host: Host) => void,
  hostOptions?: HostExtensions,
): Promise<void> {
  // Check before connecting: a host that cannot start must not migrate anything.
  if (config.amqpUrl !== undefined) mustHaveAmqpClient();
  const starting = startHost(definition, config, undefined, hostOptions);
  // Ignore repeated signals: a terminal and npm each send the same Ctrl-C.
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      log.info({ signal }, 'draining');
      void endProcess(starting, 0);
    });
  }
  // A forgotten promise harms its own request at most; the host keeps serving.
  process.on('unhandledRejection', (err) => {
    log.error({ err }, 'a promise rejection was not handled');
  });
  process.on('uncaughtException', (err) => {
    log.fatal({ err }, 'an exception was not caught; the host exits');
    void endProcess(starting, 1);
  });
  const host = await starting;
  void host.ended.then((failure) => {
    if (failure === undefined) return;
    log.fatal({ err: failure }, 'the host gives up');
    void endProcess(starting, 1);
  });
  announce(host);
}

async function endProcess(starting: Promise<Host>, code: number): Promise<void> {
  setTimeout(() => {
    log.error('draining took too long');
    process.exit(code === 0 ? 1 : code);
  }, drainWithinMs).unref();
  try {
    const host = await starting;
    host.announceStop();
    await delay(unreadyBeforeStopMs);
    await host.stop();
    log.info('stopped');
    process.exit(code);
  } catch (err) {
    log.error({ err }, 'stopping failed');
    process.exit(1);
  }
}
