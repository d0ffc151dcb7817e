import { log } from '../../runtime/logging/log.js';
import { loadService } from '../service/load-service.js';
import { readConfig } from '../config/config.js';
import { type Host, startHost } from '../host/host.js';
import { runHostProcess } from '../host/run-host-process.js';
import { outliveReaders } from '../terminal/print.js';
import type { CommandGuard } from '../../actors/commands/command-handler.js';
import type { LaunchOptions } from '../host/launch-options.js';
import { Problem } from '../../contracts/problems.js';
import type { Metrics } from '../../runtime/metrics/metrics.js';
import { clusterConsole } from '../console/sources/supervised/cluster-console.js';
import { receiveStartupMessages } from './startup-messages.js';
import { clusterFrames } from './cluster-frames.js';
import { atHeartbeats } from './heartbeats.js';
import { type FromHost, isToHost } from './ipc-messages.js';
import { watchEventLoop } from './event-loop-watch.js';
import { Peers } from './peers.js';
import { PendingQuestions } from './pending-questions.js';

const send = (message: FromHost, onSent: () => void = () => undefined): void => {
  // A supervisor that cannot be reached has died, and this process is about to exit.
  if (process.connected) process.send?.(message, undefined, undefined, onSent);
};

const { begun, quarantine } = receiveStartupMessages(process);

/** Another host serves meanwhile, so there is time: a client that pauses for longer may meet a reset. */
const idleGraceMs = 4_000;

/** Longer than the supervisor waits for one host: it answers without those that are silent. */
const metricsWithinMs = 4_000;

/** Every host returns the metrics of all hosts. */
function shareMetrics(metrics: Metrics): void {
  const questions = new PendingQuestions<{ readonly text: string | undefined }>(metricsWithinMs);
  process.on('message', (message) => {
    if (!isToHost(message)) return;
    if (message.type === 'metrics') questions.answer(message.id, { text: message.text });
    if (message.type === 'snapshot-wanted') void sendSnapshot(metrics, message.id);
  });
  metrics.aggregated = async (host) => {
    const wanted = host === undefined ? {} : { host };
    const answer = await questions.ask((id) => send({ type: 'metrics-wanted', id, ...wanted }));
    if (answer === undefined)
      throw new Problem('host-silent', { detail: 'The supervisor did not answer in time.' });
    if (answer.text !== undefined) return answer.text;
    throw new Problem('not-found', { detail: 'There is no such host.' });
  };
}

async function sendSnapshot(metrics: Metrics, id: number): Promise<void> {
  send({ type: 'snapshot', id, metrics: await metrics.snapshot() });
}

/** Every host shows all hosts. */
function peerOptions(name: string, guard: CommandGuard): LaunchOptions {
  const peers = new Peers(name, send);
  process.on('message', (message) => {
    if (isToHost(message)) peers.receive(message);
  });
  return {
    guard,
    idleGraceMs,
    consoleSource: (own) => clusterConsole(own, peers),
    frameSource: (feed) => clusterFrames(feed, peers),
    onMigrating: () => send({ type: 'migrating' }),
  };
}

function announce({ url, metrics }: Host): void {
  shareMetrics(metrics);
  log.info({ url, pid: process.pid }, 'ready');
  send({ type: 'ready', url });
}

/** From the start on: a reaction may block a host before it is ready. */
function sendHeartbeats(): void {
  const sendHeartbeat = () => send({ type: 'heartbeat', memory: process.memoryUsage.rss() });
  sendHeartbeat();
  atHeartbeats(sendHeartbeat);
}

// A terminal signals its whole process group; only the supervisor decides what follows.
process.on('SIGHUP', () => undefined);
outliveReaders();
try {
  const definition = await loadService(process.argv[2] ?? '');
  send({ type: 'loaded' });
  const { name, generatedToken } = await begun;
  log.setBindings({ host: name });
  const config = { ...readConfig({ ...process.env, SVC_NAME: name }), generatedToken };
  sendHeartbeats();
  const extensions = peerOptions(name, watchEventLoop(quarantine));
  await runHostProcess(
    config,
    (signal) => startHost(definition, config, undefined, { ...extensions, signal }),
    announce,
  );
} catch (error) {
  const reason = error instanceof Error ? error.message : String(error);
  send({ type: 'failed', reason }, () => process.exit(1));
}
