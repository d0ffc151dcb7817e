import { setTimeout as delay } from 'node:timers/promises';
import { Problem } from '../../../contracts/problems.js';
import { type SpawnedCli, startCli } from '../../testing/spawned-host.js';
import type { ShopStore } from '../reactions/store.js';

const retry = ['stuck', 'retry', '--yes', '--reason', 'bench'];

/** Retries all entries, with a command that is killed when it has released half of them, and another that continues. */
export async function retryKilledAtHalf(url: string, store: ShopStore): Promise<void> {
  const first = startCli(retry, { DATABASE_URL: url });
  const half = await untilHalf(store, first);
  await first.kill('SIGKILL');
  const [, token] = /plan (\w{16}):/.exec(first.output.stderr.join('')) ?? [];
  if (token === undefined || half === 0) return;
  const again = startCli([...retry, '--plan', token], { DATABASE_URL: url });
  const { code } = await again.ended;
  if (code !== 0) throw new Problem('unexpected', { detail: again.output.stderr.join('') });
}

/** Returns how many chunks are left. */
async function untilHalf(store: ShopStore, { ended }: SpawnedCli): Promise<number> {
  const end = ended.then(() => true);
  for (let most = 0; ;) {
    const [left = 0] = await store.numbers('SELECT count(*) AS n FROM svc_stuck_plans');
    most = Math.max(most, left);
    if (most > 0 && left <= most / 2) return left;
    if ((await Promise.race([end, delay(20)])) === true) return 0;
  }
}
