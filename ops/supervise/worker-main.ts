import { log } from '../../runtime/log.js';
import { loadApplication } from '../application.js';
import { readConfig } from '../config.js';
import type { Host } from '../host.js';
import { runHostProcess } from '../host-process.js';
import { beatEveryMs, type FromHost, isOurs } from './messages.js';

const tell = (message: FromHost, told: () => void = () => undefined): void => {
  // Whoever cannot be told any more has died, and we are about to.
  if (process.connected) process.send?.(message, undefined, undefined, told);
};

/** Our name, when we are wanted. */
const begun = new Promise<string>((resolve) => {
  process.on('message', (message) => {
    if (isOurs(message) && message.type === 'begin') resolve(message.name);
  });
});

function announce({ url }: Host): void {
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
  const name = await begun;
  log.setBindings({ host: name });
  await runHostProcess(definition, readConfig({ ...process.env, SVC_NAME: name }), announce);
} catch (error) {
  const reason = error instanceof Error ? error.message : String(error);
  tell({ type: 'failed', reason }, () => process.exit(1));
}
