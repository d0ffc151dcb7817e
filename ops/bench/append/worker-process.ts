import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Problem } from '../../../contracts/problems.js';
import type { Order, Throughput } from './closed-loop.js';

/** One store in its own process. */
export interface Worker {
  measure(order: Order): Promise<Throughput>;
  close(): Promise<void>;
}

export async function startWorker(module: string, url: string): Promise<Worker> {
  const script = fileURLToPath(new URL('worker.js', import.meta.url));
  const child = fork(script, [module, url], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const ended = once(child, 'exit');
  await answer(child, ended);
  return {
    measure: (order) => {
      child.send(order);
      return answer(child, ended) as Promise<Throughput>;
    },
    close: async () => {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}

async function answer(child: ChildProcess, ended: Promise<unknown>): Promise<unknown> {
  const message = await Promise.race([once(child, 'message'), ended.then(() => undefined)]);
  if (message === undefined) throw new Problem('unexpected', { detail: 'The process of a store exited.' });
  return message[0];
}
