#!/usr/bin/env node
import { Problem } from '../contracts/problems.js';
import { version } from '../runtime/version.js';
import { errorText } from './error-text.js';
import type { Verb } from './verb.js';
import { printToStderr, printToStdout } from './print.js';

/** Each verb is loaded on demand: most need only a part of the runtime. */
const verbs: ReadonlyMap<string, () => Promise<Verb>> = new Map([
  ['new', async () => (await import('./commands/new.js')).newVerb],
  ['add', async () => (await import('./commands/add.js')).add],
  ['dev', async () => (await import('./commands/dev.js')).dev],
  ['start', async () => (await import('./commands/start.js')).start],
  ['supervise', async () => (await import('./commands/supervise.js')).supervise],
  ['generate', async () => (await import('./commands/generate.js')).generate],
  ['audit', async () => (await import('./commands/audit.js')).audit],
  ['dead-letters', async () => (await import('./commands/dead-letters.js')).deadLetters],
  ['outbox', async () => (await import('./commands/outbox.js')).outbox],
  ['perspectives', async () => (await import('./commands/perspectives.js')).perspectives],
  ['inspect', async () => (await import('./commands/inspect.js')).inspect],
  ['migrate', async () => (await import('./commands/migrate.js')).migrateVerb],
  ['check', async () => (await import('./commands/check.js')).check],
  ['monitor', async () => (await import('./commands/monitor.js')).monitor],
]);

async function main([name, ...args]: readonly string[]): Promise<void> {
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    printToStdout(await usage());
    return;
  }
  if (name === '--version' || name === '-v') {
    printToStdout(`${version}\n`);
    return;
  }
  const verb = await verbs.get(name)?.();
  if (verb === undefined) {
    throw new Problem('usage', { detail: `There is no verb '${name}'; run svc to list the verbs.` });
  }
  if (args.includes('--help') || args.includes('-h')) printToStdout(`${verb.help.trim()}\n`);
  else await verb.run(args);
}

async function usage(): Promise<string> {
  const all = await Promise.all([...verbs.values()].map((load) => load()));
  const lines = all.map((verb) => `  svc ${verb.usage.padEnd(24)} ${verb.summary}`);
  return `svc ${version}\n\n${lines.join('\n')}\n\nRun svc <verb> --help for details.\n`;
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  printToStderr(errorText(error));
  process.exitCode = 1;
}
