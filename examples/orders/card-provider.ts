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

/** is in place of a real provider: one process for each data dir, which ends soon after the last host that uses it. */
export function cardsIn(dataDir: string): Cards {
  const folder = resolve(dataDir);
  let alive: NodeJS.Timeout | undefined;
  const ask = async (path: string, signal: AbortSignal): Promise<Response> => {
    const port = await readFile(join(folder, 'card-provider.port'), 'utf8');
    return fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', signal });
  };
  const started = async (signal: AbortSignal): Promise<void> => {
    const isThere = (): Promise<boolean> =>
      ask('/alive', signal).then(
        ({ ok }) => ok,
        () => false,
      );
    if (!(await isThere())) {
      await mkdir(folder, { recursive: true });
      spawn(process.execPath, [program, folder], { stdio: 'ignore', detached: true }).unref();
      const until = Date.now() + startedWithinMs;
      while (!(await isThere()) && Date.now() < until) await new Promise((again) => setTimeout(again, 50));
    }
    alive ??= setInterval(
      () => void ask('/alive', AbortSignal.timeout(aliveMs)).catch(() => undefined),
      aliveMs,
    );
    alive.unref();
  };
  return {
    charge: async (key, amount, signal) => {
      await started(signal);
      const answer = await ask(`/charges/${key}?amount=${amount}`, signal);
      if (!answer.ok)
        throw new Problem('card-provider-down', { status: 502, title: 'The card provider cannot answer' });
      return (await answer.json()) as Charge;
    },
  };
}
