import type { ChildProcess } from 'node:child_process';

/** A process of this example. */
export interface Started {
  readonly name: string;
  readonly child: ChildProcess;
}

/** Resolves to the first process that exits. */
export const firstEnd = (all: readonly Started[]): Promise<string> =>
  Promise.race(all.map((each) => ended(each).then(() => each.name)));

/** Stops processes, and waits until they have exited. */
export async function stop(all: readonly Started[]): Promise<void> {
  for (const { child } of all) child.kill('SIGTERM');
  await Promise.all(all.map(ended));
}

const ended = ({ child }: Started): Promise<void> =>
  child.exitCode !== null || child.signalCode !== null || child.pid === undefined
    ? Promise.resolve()
    : new Promise((resolve) => child.once('exit', () => resolve()));
