import { log } from '../../runtime/logging/log.js';
import { besideEarlier } from './harness/beside-earlier.js';
import { buildCommit } from './harness/earlier-build.js';
import { readOptions, type SuiteName } from './options.js';
import { meetsTargets, type Section, sectionJson, sectionLines } from './harness/report.js';
import type { Suite } from './harness/suite.js';

/** Loaded one by one: on an earlier build the others may lack what they import. */
const suites: Readonly<Record<SuiteName, () => Promise<Suite>>> = {
  agents: async () => (await import('./agents/suite.js')).agents,
  append: async () => (await import('./append/suite.js')).append,
  audit: async () => (await import('./audit/suite.js')).audit,
  auth: async () => (await import('./auth/suite.js')).auth,
  'column-copy': async () => (await import('./column-copy/suite.js')).columnCopy,
  deciders: async () => (await import('./deciders/suite.js')).deciders,
  'event-store': async () => (await import('./event-store/suite.js')).eventStore,
  effects: async () => (await import('./effects/suite.js')).effects,
  generate: async () => (await import('./generate/suite.js')).generate,
  graphql: async () => (await import('./graphql/suite.js')).graphql,
  growth: async () => (await import('./growth/suite.js')).growth,
  http: async () => (await import('./http/suite.js')).http,
  import: async () => (await import('./import/suite.js')).imports,
  inspect: async () => (await import('./inspect/suite.js')).inspect,
  lifecycle: async () => (await import('./lifecycle/suite.js')).lifecycle,
  lists: async () => (await import('./lists/suite.js')).lists,
  live: async () => (await import('./live/suite.js')).live,
  overload: async () => (await import('./overload/suite.js')).overload,
  peers: async () => (await import('./durable/suite.js')).peers,
  perspectives: async () => (await import('./perspectives/suite.js')).perspectives,
  reactions: async () => (await import('./reactions/suite.js')).reactions,
  reads: async () => (await import('./reads/suite.js')).reads,
  rebuild: async () => (await import('./rebuild/suite.js')).rebuild,
  segments: async () => (await import('./segments/suite.js')).segments,
  stores: async () => (await import('./stores/suite.js')).stores,
  stuck: async () => (await import('./stuck/suite.js')).stuck,
  supervise: async () => (await import('./supervise/suite.js')).supervise,
  tail: async () => (await import('./tail/suite.js')).tail,
  tenants: async () => (await import('./tenants/suite.js')).tenants,
  transfers: async () => (await import('./transfers/suite.js')).transfers,
  transport: async () => (await import('./transport/suite.js')).transport,
  webhooks: async () => (await import('./webhooks/suite.js')).webhooks,
};

async function main(args: readonly string[]): Promise<void> {
  const { suites: names, json, against, isStrict, record, ...measure } = readOptions(args);
  const publish = record ? (await import('./record/publish.js')).publisher() : undefined;
  // A line of the log would be part of the answer.
  if (json) log.level = 'fatal';
  const interrupt = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => interrupt.abort());
  const printProgress = (line: string) => process.stderr.write(`${line}\n`);
  const earlier = against === undefined ? undefined : await buildCommit(against, printProgress);
  const run = { ...measure, signal: interrupt.signal, printProgress };
  const sections: Section[] = [];
  for (const name of names) {
    const found =
      earlier === undefined ? await (await suites[name]())(run) : await besideEarlier(name, run, earlier);
    if (!json) for (const section of found) print(sectionLines(section));
    await publish?.(found);
    sections.push(...found);
  }
  if (isStrict && !sections.every(meetsTargets)) process.exitCode = 1;
  if (json) print([JSON.stringify(sections.map(sectionJson), undefined, 2)]);
}

function print(lines: readonly string[]): void {
  process.stdout.write(lines.map((line) => `${line}\n`).join(''));
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`bench: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
