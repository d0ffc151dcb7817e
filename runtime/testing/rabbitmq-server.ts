import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Problem } from '../../contracts/problems.js';
import { freePort } from '../database/embedded/operating-system.js';
import { withFolder } from '../kit/temporary-folder.js';
import { program } from './installed-program.js';

/** An AMQP 0-9-1 broker that can be killed and restarted in the same place. */
interface RabbitMqServer {
  readonly url: string;
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** Debian's wrapper on the path requires its own account and folders; this is the program that it calls. */
const debian = '/usr/lib/rabbitmq/bin/rabbitmq-server';

interface RabbitMqOptions {
  /** The lines of its configuration file. */
  readonly settings?: string;
  /** Whether the body may begin while the broker is still starting. */
  readonly early?: boolean;
}

/** Provides a separate broker in an empty folder. */
export const withRabbitMq = (
  body: (server: RabbitMqServer) => Promise<void>,
  { settings = '', early = false }: RabbitMqOptions = {},
): Promise<void> =>
  withFolder(async (folder) => {
    const onPath = await program('rabbitmq-server');
    const path = existsSync(debian) ? debian : onPath;
    const [port, distribution, names] = [await freePort(), await freePort(), await freePort()];
    const env = environment(folder, { port, distribution, names });
    await writeFile(env.RABBITMQ_ENABLED_PLUGINS_FILE, '[].');
    await writeFile(`${env.RABBITMQ_CONFIG_FILE}.conf`, settings);
    // Without our own name server the broker would leave a daemon behind.
    const nameServer = spawn('epmd', ['-port', String(names), '-address', '127.0.0.1'], { stdio: 'ignore' });
    let failure: Error | undefined;
    nameServer.on('error', (error) => (failure = error));
    let broker: ChildProcess | undefined;
    // It leads its own process group, so it would outlive an interrupted test.
    const killNow = () => {
      nameServer.kill('SIGKILL');
      if (broker !== undefined) killGroup(broker);
    };
    process.once('exit', killNow);
    const server: RabbitMqServer = {
      url: `amqp://guest:guest@127.0.0.1:${port}`,
      start: async () => {
        broker = spawn(path, [], { env: { ...process.env, ...env }, stdio: 'ignore', detached: true });
        broker.on('error', (error) => (failure = error));
        if (!early) await untilReady(broker, port, () => failure);
      },
      stop: async () => {
        if (broker !== undefined) await killed(broker);
        while (await isReady(port)) await delay(50);
      },
    };
    try {
      await server.start();
      await body(server);
    } finally {
      await server.stop();
      killNow();
      process.off('exit', killNow);
    }
  });

interface Ports {
  readonly port: number;
  readonly distribution: number;
  readonly names: number;
}

const environment = (folder: string, { port, distribution, names }: Ports) => ({
  HOME: folder,
  ERL_EPMD_PORT: String(names),
  // No busy waiting on a test machine.
  RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: '+sbwt none +sbwtdcpu none +sbwtdio none',
  RABBITMQ_NODENAME: `svc${port}@localhost`,
  RABBITMQ_NODE_IP_ADDRESS: '127.0.0.1',
  RABBITMQ_NODE_PORT: String(port),
  RABBITMQ_DIST_PORT: String(distribution),
  RABBITMQ_MNESIA_BASE: join(folder, 'mnesia'),
  RABBITMQ_LOG_BASE: join(folder, 'log'),
  RABBITMQ_ENABLED_PLUGINS_FILE: join(folder, 'enabled_plugins'),
  RABBITMQ_CONFIG_FILE: join(folder, 'rabbitmq'),
});

/** Kills it with everything that it has started. */
async function killed(broker: ChildProcess): Promise<void> {
  const ended = once(broker, 'close');
  if (killGroup(broker)) await ended;
}

function killGroup({ pid, exitCode, signalCode }: ChildProcess): boolean {
  if (pid === undefined || exitCode !== null || signalCode !== null) return false;
  return process.kill(-pid, 'SIGKILL');
}

const startsWithinMs = 120_000;

async function untilReady(
  broker: ChildProcess,
  port: number,
  failure: () => Error | undefined,
): Promise<void> {
  for (const end = performance.now() + startsWithinMs; performance.now() < end; await delay(200)) {
    if (broker.exitCode !== null || failure() !== undefined) break;
    if (await isReady(port)) return;
  }
  const why = failure()?.message ?? 'see its log';
  throw new Problem('invalid-setup', { detail: `RabbitMQ did not start on port ${port}: ${why}.` });
}

/** A broker answers the protocol greeting with its first frame. */
export const isReady = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => socket.write('AMQP\u0000\u0000\u0009\u0001'));
    const is = (answer: boolean) => () => {
      socket.destroy();
      resolve(answer);
    };
    socket.once('data', is(true)).once('error', is(false)).once('close', is(false));
  });
