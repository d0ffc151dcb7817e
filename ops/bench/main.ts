import { append } from './append/suite.js';
import { audit } from './audit/suite.js';
import { auth } from './auth/suite.js';
import { buildCommit } from './harness/earlier-build.js';
import { columnCopy } from './column-copy/suite.js';
import { deciders } from './deciders/suite.js';
import { generate } from './generate/suite.js';
import { graphql } from './graphql/suite.js';
import { http } from './http/suite.js';
import { inspect } from './inspect/suite.js';
import { lifecycle } from './lifecycle/suite.js';
import { lists } from './lists/suite.js';
import { live } from './live/suite.js';
import { overload } from './overload/suite.js';
import { readOptions, type SuiteName } from './options.js';
import { perspectives } from './perspectives/suite.js';
import { reactions } from './reactions/suite.js';
import { reads } from './reads/suite.js';
import { rebuild } from './rebuild/suite.js';
import { type Section, sectionJson, sectionLines } from './harness/report.js';
import { segments } from './segments/suite.js';
import type { Suite } from './harness/suite.js';
import { supervise } from './supervise/suite.js';
import { tail } from './tail/suite.js';
import { transport } from './transport/suite.js';

const suites: Readonly<Record<SuiteName, Suite>> = {
  'column-copy': columnCopy,
  deciders,
  http,
  lifecycle,
  append,
  transport,
  audit,
  segments,
  generate,
  graphql,
  inspect,
  auth,
  tail,
  overload,
  lists,
  live,
  perspectives,
  reactions,
  reads,
  rebuild,
  supervise,
};

async function main(args: readonly string[]): Promise<void> {
  const { suites: names, json, against, ...measure } = readOptions(args);
  const interrupt = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => interrupt.abort());
  const printProgress = (line: string) => process.stderr.write(`${line}\n`);
  const earlier = against === undefined ? undefined : await buildCommit(against, printProgress);
  const sections: Section[] = [];
  for (const name of names) {
    const found = await suites[name]({ ...measure, earlier, signal: interrupt.signal, printProgress });
    if (!json) for (const section of found) print(sectionLines(section));
    sections.push(...found);
  }
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
