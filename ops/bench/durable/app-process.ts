import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { Problem } from '../../../contracts/problems.js';

/** A process that sends `ready` once it listens, and the times it has taken whenever it gets a message. */
interface AppProcess {
  readonly pid: number;
  /** In milliseconds; each is returned once. */
  taken(): Promise<readonly number[]>;
  kill(): Promise<void>;
}

/** Starts a script with a Node.js of its own. */
export async function startApp(
  program: string,
  script: string,
  args: readonly string[],
): Promise<AppProcess> {
  const env = { ...process.env, NODE_ENV: 'production', SVC_LOG: 'error' };
  const child = fork(script, args, {
    execPath: program,
    execArgv: [],
    env,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
  const errors: string[] = [];
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    errors.push(text);
    if (errors.length > 20) errors.shift();
  });
  const ended = once(child, 'exit');
  const failed = ended.then(() => {
    throw new Problem('unexpected', { detail: `${script} ended: ${errors.join('').trim()}` });
  });
  failed.catch(() => undefined);
  await Promise.race([once(child, 'message'), failed]);
  return {
    pid: child.pid ?? 0,
    taken: () => Promise.race([timesOf(child), failed]),
    kill: async () => {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

async function timesOf(child: ChildProcess): Promise<readonly number[]> {
  const answered = once(child, 'message');
  child.send('times');
  const [times] = (await answered) as [readonly number[]];
  return times;
}
