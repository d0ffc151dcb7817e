import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** A process that reverts a deployment when this one ends before it. */
interface Watcher {
  /** The deployment needs no watcher anymore. */
  dismiss(): void;
}

const program = fileURLToPath(new URL('deploy-watcher-main.js', import.meta.url));
const shortestLifeMs = 1_000;

/** Starts the watcher; one that ends is replaced. It notices the end of this process by their pipe. */
export function startWatcher(id: string, holder: string): Watcher {
  let isDismissed = false;
  let child: ChildProcess;
  const start = (): void => {
    const startedAt = performance.now();
    // Its own session: what ends this process, such as Ctrl-C or a closed terminal, does not end the watcher.
    child = spawn(process.execPath, [program, id, holder], {
      detached: true,
      stdio: ['pipe', 'ignore', 'inherit'],
    });
    child.stdin?.on('error', () => undefined);
    child.on('error', () => undefined);
    child.on('exit', () => {
      if (isDismissed) return;
      setTimeout(again, Math.max(0, shortestLifeMs - (performance.now() - startedAt))).unref();
    });
    child.unref();
  };
  const again = (): void => {
    if (!isDismissed) start();
  };
  start();
  return {
    dismiss: () => {
      isDismissed = true;
      child.stdin?.end('dismissed');
    },
  };
}
