import { spawn } from 'node:child_process';
import { mkdir, readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Decimal, Problem, type Uuid } from 'svc-runtime';

/** What the provider says: a charge, or why there is none. */
export type Charge =
  | { readonly chargeId: string; readonly refused?: undefined }
  | { readonly chargeId?: undefined; readonly refused: string };

/** The provider of card payments, as this service sees it. */
export interface Cards {
  /** Charges once for each key. */
  charge(key: Uuid, amount: Decimal, signal: AbortSignal): Promise<Charge>;
}

const program = fileURLToPath(new URL('card-provider-process.js', import.meta.url));
const aliveMs = 2_000;
const startedWithinMs = 8_000;
/** A host that starts is not slowed down, and a check of the service ends before. */
const startAfterMs = 500;

/** Replaces a real provider: one process for each data dir, which ends soon after the last host that keeps it. */
export function cardsIn(dataDir: string): Cards {
  const folder = resolve(dataDir);
  return {
    charge: async (key, amount, signal) => {
      if (!(await isThere(folder, signal))) {
        await start(folder);
        const until = Date.now() + startedWithinMs;
        while (!(await isThere(folder, signal)) && Date.now() < until)
          await new Promise((again) => setTimeout(again, 50));
      }
      const answer = await ask(folder, `/charges/${key}?amount=${amount}`, signal);
      if (!answer.ok)
        throw new Problem('card-provider-down', { status: 502, title: 'The card provider cannot answer' });
      return (await answer.json()) as Charge;
    },
  };
}

/** Starts the provider if it is not there, and keeps it from ending until the returned function is called. */
export function keepCardProvider(dataDir: string): () => void {
  const folder = resolve(dataDir);
  const signal = (): AbortSignal => AbortSignal.timeout(aliveMs);
  const startOnce = async (): Promise<void> => {
    if (!(await isThere(folder, signal()))) await start(folder);
  };
  // A provider that cannot be started is no fault of the host: the next charge says so.
  const begins = setTimeout(() => void startOnce().catch(() => undefined), startAfterMs).unref();
  const alive = setInterval(() => void isThere(folder, signal()), aliveMs).unref();
  return () => {
    clearTimeout(begins);
    clearInterval(alive);
  };
}

async function start(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const provider = spawn(process.execPath, [program, folder], { stdio: 'ignore', detached: true });
  provider.on('error', () => undefined).unref();
}

const isThere = (folder: string, signal: AbortSignal): Promise<boolean> =>
  ask(folder, '/alive', signal).then(
    ({ ok }) => ok,
    () => false,
  );

async function ask(folder: string, path: string, signal: AbortSignal): Promise<Response> {
  const port = await readFile(join(folder, 'card-provider.port'), 'utf8');
  return fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', signal });
}
