import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { randomFrom } from '../harness/seeded-random.js';

/** What the other system has seen of all hosts. */
export interface ProviderReport {
  readonly calls: number;
  /** Different keys. */
  readonly keys: number;
  /** Calls that it refused, or put off. */
  readonly refused: number;
  /** Those that are on their way, by host. */
  readonly inFlight: Readonly<Record<string, number>>;
}

/** Another system in its own process: it counts the keys that it is called with, fails, asks for patience, and is slow. */
const random = randomFrom(Number(process.argv[2] ?? 1));
const keys = new Map<string, number>();
const inFlight = new Map<string, number>();
let calls = 0;
let refused = 0;

/** A key is slow twice at most: with claims that are shorter than that it would never end. */
const slowCalls = 2;

function answerOf(key: string): { readonly status: number; readonly afterMs: number } {
  const dice = random() * 100;
  if (dice < 5) return { status: 500, afterMs: 0 };
  if (dice < 8) return { status: 429, afterMs: 0 };
  if (dice < 16 && (keys.get(key) ?? 0) <= slowCalls)
    return { status: 200, afterMs: 1_500 + random() * 1_500 };
  return { status: 200, afterMs: random() * 100 };
}

const server = createServer((request, response) => {
  if (request.method === 'GET') {
    const report = { calls, keys: keys.size, refused, inFlight: Object.fromEntries(inFlight) };
    return void response.end(JSON.stringify(report satisfies ProviderReport));
  }
  const [, host = '', key = ''] = (request.url ?? '').split('/');
  calls++;
  keys.set(key, (keys.get(key) ?? 0) + 1);
  inFlight.set(host, (inFlight.get(host) ?? 0) + 1);
  response.on('close', () => inFlight.set(host, (inFlight.get(host) ?? 0) - 1));
  const { status, afterMs } = answerOf(key);
  if (status !== 200) refused++;
  setTimeout(() => response.writeHead(status).end(), afterMs);
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
