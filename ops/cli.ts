#!/usr/bin/env node
import { Problem } from '../contracts/problems.js';
import { version } from '../runtime/version.js';
import { audit } from './commands/audit.js';
import { check } from './commands/check.js';
import { deadLetters } from './commands/dead-letters.js';
import { generate } from './commands/generate.js';
import { inspect } from './commands/inspect.js';
import { migrateVerb } from './commands/migrate.js';
import { monitor } from './commands/monitor.js';
import { outbox } from './commands/outbox.js';
import { perspectives } from './commands/perspectives.js';
import { start } from './commands/start.js';
import { supervise } from './commands/supervise.js';
import { failureText } from './failure-text.js';
import type { Verb } from './verb.js';
import { printAside, printOut } from './print.js';

const verbs: readonly Verb[] = [
  start,
  supervise,
  generate,
  audit,
  deadLetters,
  outbox,
  perspectives,
  inspect,
  migrateVerb,
  check,
  monitor,
];

async function main([name, ...args]: readonly string[]): Promise<void> {
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    printOut(usage());
    return;
  }
  if (name === '--version' || name === '-v') {
    printOut(`${version}\n`);
    return;
  }
  const verb = verbs.find((candidate) => candidate.name === name);
  if (verb === undefined) {
    throw new Problem('usage', { detail: `There is no verb '${name}'; svc lists the verbs.` });
  }
  if (args.includes('--help') || args.includes('-h')) printOut(`${verb.help.trim()}\n`);
  else await verb.run(args);
}

const usage = (): string =>
  `svc ${version}\n\n${verbs.map((verb) => `  svc ${verb.usage.padEnd(24)} ${verb.does}`).join('\n')}\n\nsvc <verb> --help tells more.\n`;

try {
  await main(process.argv.slice(2));
} catch (error) {
  printAside(failureText(error));
  process.exitCode = 1;
}
