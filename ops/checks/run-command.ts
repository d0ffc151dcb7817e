import { spawn } from 'node:child_process';

/** Runs a command of the shell and returns how it ended; its output goes to stderr, because stdout carries data. */
export function runCommand(command: string, atMostMs: number, signal?: AbortSignal): Promise<string> {
  return new Promise((resolve) => {
    // Its own process group, so that what the shell has started ends with it.
    const child = spawn(command, { shell: true, detached: true, stdio: ['ignore', 2, 2] });
    let ending: string | undefined;
    const end = (because: string) => () => {
      ending ??= because;
      killGroup(child.pid);
    };
    const onAbort = end('it was cancelled');
    const timer = setTimeout(end(`it took longer than ${atMostMs / 1000} s`), atMostMs);
    signal?.addEventListener('abort', onAbort, { once: true });
    if (signal?.aborted === true) onAbort();
    const ended = (how: string): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      resolve(ending ?? how);
    };
    child.on('error', ({ message }) => ended(message));
    child.on('exit', (code, killedBy) =>
      ended(killedBy === null ? `exit code ${code}` : `ended by ${killedBy}`),
    );
  });
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It has ended already.
  }
}
