import type { Worker } from 'node:cluster';
import { once } from 'node:events';
import type { Begin, DevListening, FromDevHost, ToDevHost } from './messages.js';

const stopWithinMs = 10_000;

/** One host process: it loads the runtime, and the service when it is asked to begin. */
export class DevHost {
  readonly ended: Promise<number | null>;
  hasEnded = false;
  #hasBegun = false;
  readonly #loaded: Promise<void>;
  readonly #listening: Promise<DevListening>;

  constructor(private readonly worker: Worker) {
    this.ended = new Promise((resolve) => {
      worker.once('exit', (code: number | null) => {
        this.hasEnded = true;
        resolve(code);
      });
    });
    let loaded: () => void;
    this.#loaded = new Promise((resolve) => (loaded = resolve));
    this.#listening = new Promise((resolve) => {
      worker.on('message', (message: FromDevHost) => {
        if (message.type === 'loaded') loaded();
        else resolve(message);
      });
    });
    // A message to a process that has just ended is lost.
    worker.on('error', () => undefined);
  }

  /** Resolves when it listens; undefined: it ended before, or a newer change replaces it. */
  async begin(options: Omit<Begin, 'type'>, outdated: AbortSignal): Promise<DevListening | undefined> {
    const over = Promise.race([this.ended, once(outdated, 'abort')]).then(() => undefined);
    // What is sent to a process that is still loading may get lost.
    await Promise.race([this.#loaded, over]);
    if (outdated.aborted) return undefined;
    this.#hasBegun = true;
    this.#send({ type: 'begin', ...options });
    return Promise.race([this.#listening, over]);
  }

  /** Answers what is in flight; one that has not begun has nothing to answer. */
  async stop(): Promise<void> {
    const kill = (): void => void this.worker.process.kill('SIGKILL');
    const tooLong = setTimeout(kill, stopWithinMs);
    if (this.#hasBegun) this.#send({ type: 'stop' });
    else kill();
    await this.ended;
    clearTimeout(tooLong);
  }

  #send(message: ToDevHost): void {
    if (this.worker.isConnected()) this.worker.send(message);
  }
}
