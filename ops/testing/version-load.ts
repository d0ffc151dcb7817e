import { Agent } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { jsonOf, post } from '../../endpoints/testing/http-client.js';

/** What the clients of a front were answered. */
interface VersionLoad {
  /** Answers by version. */
  readonly answers: Map<string, number>;
  /** Every other outcome, and how often. */
  readonly failures: Map<string, number>;
  /** Resolves when this many more requests have ended. */
  more(count: number): Promise<void>;
  stop(): Promise<void>;
}

interface LoadOptions {
  readonly clients?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** No more requests than this. */
  readonly limit?: number;
  /** Between the requests of a client. */
  readonly pauseMs?: number;
}

/** Sends this many requests by a few keep-alive clients. */
export async function askVersions(
  url: string,
  limit: number,
  headers: Readonly<Record<string, string>> = {},
): Promise<VersionLoad> {
  const load = startVersionLoad(url, { headers, limit });
  await load.more(limit);
  await load.stop();
  return load;
}

/** Keep-alive clients that ask for the version until they are stopped. */
export function startVersionLoad(url: string, options: LoadOptions = {}): VersionLoad {
  const { clients = 8, headers = {}, limit = Infinity, pauseMs = 0 } = options;
  const agent = new Agent({ keepAlive: true });
  const answers = new Map<string, number>();
  const failures = new Map<string, number>();
  const waiting = new Set<() => void>();
  const stopping = new AbortController();
  let [begun, ended] = [0, 0];
  const count = (map: Map<string, number>, what: string) => map.set(what, (map.get(what) ?? 0) + 1);
  const ask = async (): Promise<void> => {
    try {
      const answer = await post(url, {}, { path: '/version', headers, agent });
      if (answer.status === 200) count(answers, (jsonOf(answer) as { version: string }).version);
      else count(failures, `${answer.status} ${answer.text.slice(0, 200)}`);
    } catch (error) {
      count(failures, (error as NodeJS.ErrnoException).code ?? String(error));
    }
    ended++;
    for (const check of waiting) check();
  };
  const client = async (): Promise<void> => {
    while (!stopping.signal.aborted && begun < limit) {
      begun++;
      await ask();
      if (pauseMs > 0) await delay(pauseMs);
    }
  };
  const done = Promise.all(Array.from({ length: clients }, client));
  return {
    answers,
    failures,
    more: (wanted) => {
      const enough = ended + Math.min(wanted, limit);
      return new Promise((resolve) => {
        const check = (): void => {
          if (ended < Math.min(enough, limit)) return;
          waiting.delete(check);
          resolve();
        };
        waiting.add(check);
        check();
      });
    },
    stop: async () => {
      stopping.abort();
      await done;
      agent.destroy();
    },
  };
}
