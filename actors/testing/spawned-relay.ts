import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { newUuid } from '../../contracts/uuid.js';
import { builtForProcess } from '../../runtime/testing/process-root.js';

export interface Published {
  readonly position: number;
  readonly streamId: string;
  readonly streamPosition: number;
}

/** A relay that a test may kill or freeze. */
export interface SpawnedRelay {
  readonly owner: string;
  readonly ended: Promise<NodeJS.Signals | null>;
  signal(signal: NodeJS.Signals): void;
  /** What it has published so far. */
  published(): Promise<Published[]>;
}

const program = fileURLToPath(builtForProcess(new URL('./relay-process.js', import.meta.url)));

export function spawnRelay(
  url: string,
  folder: string,
  { leaseMs = 4_000, failpoints = '', nats = '' } = {},
): SpawnedRelay {
  const owner = newUuid();
  const file = join(folder, owner);
  const child = spawn(process.execPath, [program, url, owner, file, String(leaseMs), nats], {
    env: { ...process.env, SVC_FAILPOINTS: failpoints },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return {
    owner,
    ended: once(child, 'close').then(([, signal]) => signal as NodeJS.Signals | null),
    signal: (signal) => void child.kill(signal),
    published: async () => linesOf(await readFile(file, 'utf8').catch(() => '')),
  };
}

/** The last line may not have been written whole. */
const linesOf = (text: string): Published[] =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => {
      const [position, streamId = '', streamPosition] = line.split(' ');
      return { position: Number(position), streamId, streamPosition: Number(streamPosition) };
    });
