import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { randomFrom } from '../harness/seeded-random.js';
import { deadlyStatus } from './effect-commands.js';

/** How another system behaves: it always answers after a time, by effect, or it fails, asks for patience, and is slow. */
export interface ProviderManner {
  readonly seed: number;
  readonly afterMs?: Readonly<Record<string, number>>;
  /** The answer to its first key ends the host that gets it. */
  readonly hasDeadly?: boolean;
}

/** Sooner than other calls of its host end. */
const deadlyAfterMs = 300;

/** The calls of one effect. */
interface EffectCalls {
  calls: number;
  atOnce: number;
  mostAtOnce: number;
  mostInSecond: number;
  /** The host of the newest call. */
  host: string;
}

/** What the other system has seen of all hosts. */
export interface ProviderReport {
  readonly calls: number;
  /** Different keys. */
  readonly keys: number;
  /** Calls that it refused, or put off. */
  readonly refused: number;
  /** Those that are on their way, by host. */
  readonly inFlight: Readonly<Record<string, number>>;
  readonly effects: Readonly<Record<string, Readonly<EffectCalls>>>;
}

/** Another system in its own process: it counts the keys that it is called with. */
const {
  seed,
  afterMs: steady,
  hasDeadly = false,
} = JSON.parse(process.argv[2] ?? '{"seed":1}') as ProviderManner;
const random = randomFrom(seed);
const keys = new Map<string, number>();
const inFlight = new Map<string, number>();
const effects = new Map<string, EffectCalls>();
/** When calls of an effect began in the last second. */
const lately = new Map<string, number[]>();
let calls = 0;
let refused = 0;

/** A key is slow twice at most: with claims that are shorter than that it would never end. */
const slowCalls = 2;

function answerOf(effect: string, key: string): { readonly status: number; readonly afterMs: number } {
  if (hasDeadly && keys.keys().next().value === key) return { status: deadlyStatus, afterMs: deadlyAfterMs };
  if (steady !== undefined) return { status: 200, afterMs: steady[effect] ?? 0 };
  const dice = random() * 100;
  if (dice < 5) return { status: 500, afterMs: 0 };
  if (dice < 8) return { status: 429, afterMs: 0 };
  if (dice < 16 && (keys.get(key) ?? 0) <= slowCalls)
    return { status: 200, afterMs: 1_500 + random() * 1_500 };
  return { status: 200, afterMs: random() * 100 };
}

/** Returns what is to be done when the call has ended. */
function count(host: string, effect: string): () => void {
  calls++;
  inFlight.set(host, (inFlight.get(host) ?? 0) + 1);
  const counted = effects.get(effect) ?? { calls: 0, atOnce: 0, mostAtOnce: 0, mostInSecond: 0, host };
  effects.set(effect, counted);
  const now = performance.now();
  const begun = [...(lately.get(effect) ?? []), now].filter((at) => at > now - 1_000);
  lately.set(effect, begun);
  counted.calls++;
  counted.host = host;
  counted.mostInSecond = Math.max(counted.mostInSecond, begun.length);
  counted.mostAtOnce = Math.max(counted.mostAtOnce, ++counted.atOnce);
  return () => {
    inFlight.set(host, (inFlight.get(host) ?? 0) - 1);
    counted.atOnce--;
  };
}

const report = (): ProviderReport => ({
  calls,
  keys: keys.size,
  refused,
  inFlight: Object.fromEntries(inFlight),
  effects: Object.fromEntries(effects),
});

const server = createServer((request, response) => {
  if (request.method === 'GET') return void response.end(JSON.stringify(report()));
  const [, host = '', effect = '', key = ''] = (request.url ?? '').split('/');
  keys.set(key, (keys.get(key) ?? 0) + 1);
  response.on('close', count(host, effect));
  const { status, afterMs } = answerOf(effect, key);
  if (status !== 200) refused++;
  setTimeout(() => response.writeHead(status).end(), afterMs);
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
