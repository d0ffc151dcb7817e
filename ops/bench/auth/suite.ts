import { createHmac } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { newApiKey } from '../../../runtime/access/api-key.js';
import { withDatabases } from '../harness/databases.js';
import { startChild } from '../harness/child.js';
import type { Section } from '../harness/report.js';
import { interleave } from '../harness/rounds.js';
import type { SuiteRun } from '../harness/suite.js';
import { measure, type OrderServer } from '../http/measure.js';

const compiled = (file: string): string => fileURLToPath(new URL(file, import.meta.url));

interface Subject {
  readonly name: string;
  readonly script: string;
  readonly args: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
}

const secret = 'a shared key that only this bench knows';
const { key } = newApiKey();
const none = 'no authentication';
const tokenUnread = 'no authentication, token sent';
const keyUnread = 'no authentication, key sent';
const jwt = 'cached JWT';
const apiKey = 'API key';
const audited = 'audited';
const granted = 'audited, cached JWT';

/** POST /orders by known callers: nothing stored, then with audits and the events of its guards. */
export async function auth(run: SuiteRun): Promise<readonly Section[]> {
  const byToken = { authorization: `Bearer ${tokenOf(secret)}` };
  const script = compiled('server.js');
  const byKey = { authorization: `Bearer ${key}` };
  const bare = await section(run, 'auth: POST /orders, nothing stored, 64 connections', none, [
    { name: none, script, args: ['none'] },
    // A longer request costs something by itself.
    { name: tokenUnread, script, args: ['none'], headers: byToken },
    { name: keyUnread, script, args: ['none'], headers: byKey },
    { name: jwt, script, args: ['jwt', secret], headers: byToken },
    { name: apiKey, script, args: ['api-key', key], headers: byKey },
  ]);
  const host = compiled('../audit/our-host.js');
  const stored = await withDatabases(2, ([first = '', second = '']) =>
    section(run, 'auth: POST /orders with one event, audited, 64 in flight, fsync on', audited, [
      { name: audited, script: host, args: [first, 'all'] },
      { name: granted, script: host, args: [second, 'all', secret], headers: byToken },
    ]),
  );
  return [
    { ...bare, targets: [target(jwt, none, 0.85), target(apiKey, none, 0.9)] },
    { ...stored, targets: [target(granted, audited, 0.9)] },
  ];
}

const target = (of: string, against: string, atLeast: number) => ({ figure: 'req/s', of, against, atLeast });

async function section(
  run: SuiteRun,
  title: string,
  baseline: string,
  subjects: readonly Subject[],
): Promise<Section> {
  const servers: OrderServer[] = [];
  try {
    const variants = [];
    for (const { name, script, args, headers } of subjects) {
      const server: OrderServer = await startChild(script, args, { core: 0 });
      servers.push(server);
      await measure(server, 1, { headers });
      variants.push({ name, measure: () => measure(server, run.seconds ?? 2, { headers }) });
    }
    run.printProgress(`${title}: ${run.rounds} rounds`);
    const rounds = await interleave(variants, run.rounds, run.signal);
    return {
      title,
      figures: ['req/s', 'CPU µs', 'p50 ms', 'p99 ms'],
      baseline,
      rounds,
      targets: [],
      missing: [],
    };
  } finally {
    await Promise.all(servers.map((server) => server.stop()));
  }
}

/** A token as issuers write them: some hundred characters. */
function tokenOf(by: string): string {
  const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  const now = Math.floor(Date.now() / 1_000);
  const claims = {
    iss: 'https://login.example/',
    aud: 'orders',
    sub: '018f3a52-7c1e-7cc0-9d3a-2b1f4c5d6e7f',
    name: 'Ada Lovelace',
    roles: ['clerk', 'driver'],
    permissions: ['orders:read', 'orders:write', 'audit:read'],
    iat: now,
    exp: now + 86_400,
  };
  const text = `${encoded({ alg: 'HS256', typ: 'JWT' })}.${encoded(claims)}`;
  return `${text}.${createHmac('sha256', by).update(text).digest('base64url')}`;
}
