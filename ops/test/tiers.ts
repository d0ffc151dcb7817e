import { isLive, isLong } from './find-test-files.js';
import { type Imports, neededBy } from './imports.js';

/** What a run includes: `npm test`, `test:all`, what the first leaves to the second, and `test:full`. */
export type Tier = 'quick' | 'all' | 'rest' | 'full';

/** Tests of our tools, and those that run others again: `npm test` leaves them to `test:all` and to `--changed`. */
const tools = [
  'ops/bench/',
  'ops/build/',
  'ops/chaos/',
  'ops/docs/',
  'ops/no-eval',
  'ops/simulation/mutants',
  'ops/test/',
];

/** Where `npm test` also runs live files that need only PostgreSQL. */
const rooms = [
  'actors/conformance/',
  'actors/outbox/',
  'actors/perspectives/',
  'actors/reactions/',
  'examples/',
  'runtime/audit/',
  'runtime/effects/postgres-',
  'runtime/inbox/',
  'runtime/leases/',
  'runtime/outbox/',
  'runtime/perspectives/',
  'runtime/reactions/',
  'runtime/store/',
];

/** What the README promises, and a live file that shows it. */
export const promises: Readonly<Record<string, string>> = {
  'kill -9 loses no audit': 'ops/host/audited-through-kills.live.test.js',
  'processes that are killed lose and double nothing': 'actors/reactions/reaction-process.live.test.js',
  'events cross NATS once and in order': 'ops/host/nats.live.test.js',
  'a killed host is replaced, a rolling restart fails no request':
    'ops/supervise/serving-through-restarts.live.test.js',
  'only who may call a host is served': 'ops/host/authentication.live.test.js',
  'a caller reads what it wrote': 'ops/host/reads.live.test.js',
};

/** Helpers that start what `npm test` does without: Chromium, HAProxy and RabbitMQ. */
export const heavyServers = [
  'endpoints/testing/open-browser.js',
  'ops/testing/haproxy-server.js',
  'runtime/testing/rabbitmq-server.js',
];

/** Helpers that start a broker, a second server or processes: of their tests `npm test` runs only the promises. */
export const beyondDatabase = [
  'runtime/testing/nats-server.js',
  'runtime/testing/postgres-pair.js',
  'runtime/testing/process-root.js',
];

export function filesOf(tier: Tier, files: readonly string[], imports: Imports): string[] {
  if (tier === 'full') return [...files];
  const all = files.filter((file) => !isLong(file));
  if (tier === 'all') return all;
  return all.filter((file) => isQuick(file, imports) === (tier === 'quick'));
}

function isQuick(file: string, imports: Imports): boolean {
  const isIn = (folder: string): boolean => file.startsWith(folder);
  if (tools.some(isIn)) return false;
  if (!isLive(file) || Object.values(promises).includes(file)) return true;
  const needed = neededBy(file, imports);
  return rooms.some(isIn) && ![...heavyServers, ...beyondDatabase].some((helper) => needed.has(helper));
}
