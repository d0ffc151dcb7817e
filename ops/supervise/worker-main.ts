import { log } from '../../runtime/log.js';
import { loadApplication } from '../application.js';
import { type Config, readConfig } from '../config.js';
import type { Host } from '../host/host.js';
import { runHostProcess } from '../host/process.js';
import type { CommandGuard } from '../../actors/commands/command-handler.js';
import type { HostOptions } from '../host/host-options.js';
import { Problem } from '../../contracts/problems.js';
import type { Metrics } from '../../runtime/metrics.js';
import { clusterConsole } from '../console/sources/supervised/console-source.js';
import { clusterFrames } from './frame-source.js';
import { beatEveryMs, type FromHost, isToHost } from './messages.js';
import { watchLoop } from './loop-watch.js';
import { Peers } from './peers.js';
import { Questions } from './questions.js';

const tell = (message: FromHost, told: () => void = () => undefined): void => {
  // Whoever cannot be told any more has died, and we are about to.
  if (process.connected) process.send?.(message, undefined, undefined, told);
};

/** Our name, when we are wanted, and the token that all hosts share. */
const begun = new Promise<Pick<Config, 'name' | 'generatedToken'>>((resolve) => {
  process.on('message', (message) => {
    if (isToHost(message) && message.type === 'begin') resolve(message);
  });
});

/** Whoever asks one host for metrics is told those of all. */
function shareMetrics(metrics: Metrics): void {
  const questions = new Questions<string>();
  process.on('message', (message) => {
    if (!isToHost(message)) return;
    if (message.type === 'metrics') questions.answer(message.id, message.text);
    if (message.type === 'snapshot-wanted') void tellSnapshot(metrics, message.id);
  });
  metrics.together = async (host) => {
    const wanted = host === undefined ? {} : { host };
    const text = await questions.ask((id) => tell({ type: 'metrics-wanted', id, ...wanted }));
    if (text !== undefined) return text;
    throw new Problem('not-found', { detail: 'There is no such host.' });
  };
}

async function tellSnapshot(metrics: Metrics, id: number): Promise<void> {
  tell({ type: 'snapshot', id, metrics: await metrics.snapshot() });
}

/** Whoever looks at one host sees all. */
function neighboursOf(name: string, guard: CommandGuard): HostOptions {
  const peers = new Peers(name, tell);
  process.on('message', (message) => {
    if (isToHost(message)) peers.hear(message);
  });
  return {
    guard,
    console: (own) => clusterConsole(own, peers),
    frames: (feed) => clusterFrames(feed, peers),
    migrating: () => tell({ type: 'migrating' }),
  };
}

function announce({ url, metrics }: Host): void {
  shareMetrics(metrics);
  log.info({ url, pid: process.pid }, 'ready');
  tell({ type: 'ready', url });
  const beat = () => tell({ type: 'beat', memory: process.memoryUsage.rss() });
  beat();
  setInterval(beat, beatEveryMs).unref();
}

// A terminal tells its whole group; the supervisor alone decides what follows.
process.on('SIGHUP', () => undefined);
try {
  const definition = await loadApplication(process.argv[2] ?? '');
  tell({ type: 'loaded' });
  const { name, generatedToken } = await begun;
  log.setBindings({ host: name });
  const config = { ...readConfig({ ...process.env, SVC_NAME: name }), generatedToken };
  await runHostProcess(definition, config, announce, neighboursOf(name, watchLoop()));
} catch (error) {
  const reason = error instanceof Error ? error.message : String(error);
  tell({ type: 'failed', reason }, () => process.exit(1));
}
