#!/usr/bin/env node
import { constants, setPriority } from 'node:os';
import { Problem } from '../contracts/problems.js';
import { version } from '../runtime/lang/version.js';
import { errorText } from './terminal/error-text.js';
import { actionsIn, didYouMean } from './terminal/did-you-mean.js';
import { wrappedHelp } from './terminal/wrapped-help.js';
import { exitOnStopSignals } from './service/stop-signals.js';
import { outliveReaders, printToStderr, printToStdout } from './terminal/print.js';
import { verbs } from './verbs.js';

async function main([name, ...args]: readonly string[]): Promise<void> {
  if (name === undefined || name === 'help' || name === '--help' || name === '-h') {
    printHelp(usage());
    return;
  }
  if (name === '--version' || name === '-v') {
    printToStdout(`${version}\n`);
    return;
  }
  // A stack names our sources, and those of an application that is built with source maps.
  process.setSourceMapsEnabled(true);
  const listed = verbs.find((one) => one.name === name);
  if (listed?.runsHost === true) exitOnStopSignals();
  if (listed?.givesWay === true) giveWay();
  const verb = await listed?.load();
  if (verb === undefined) {
    const near = didYouMean(
      name,
      verbs.map((one) => one.name),
    );
    throw new Problem('usage', { detail: `There is no verb '${name}'; run svc to list the verbs.${near}` });
  }
  if (args.includes('--help') || args.includes('-h')) printHelp(`${verb.help.trim()}\n`);
  else
    await verb
      .run(args)
      .catch((error: unknown) => {
        // A start that failed may leave a connection that nobody closes.
        if (listed?.runsHost === true) endSoon();
        return rethrow(error, name, verb.help, args);
      })
      .finally(() => verb.endsProcess === true && endSoon());
}

function giveWay(): void {
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // Where that is not allowed, it only takes processor time from others.
  }
}

/** A mistyped action is refused by its verb, which lists all of them. */
function rethrow(error: unknown, verb: string, help: string, [action = '']: readonly string[]): never {
  const isRefused = error instanceof Problem && error.code === 'usage';
  const near = isRefused ? didYouMean(action, actionsIn(verb, help)) : '';
  if (!isRefused || near === '') throw error;
  throw new Problem('usage', { detail: `${error.message}${near}` });
}

/** A pipe has no width. */
const printHelp = (help: string): void =>
  printToStdout(wrappedHelp(help, process.stdout.columns ?? Infinity));

/** Leaves time for output to a pipe. */
const endSoon = (): void => void setTimeout(() => process.exit(), 1_000).unref();

function usage(): string {
  const lines = verbs.map((verb) => `  svc ${verb.usage.padEnd(24)} ${verb.summary}`);
  return `svc ${version}\n\n${lines.join('\n')}\n\nRun svc <verb> --help for details.\n`;
}

outliveReaders();
try {
  await main(process.argv.slice(2));
} catch (error) {
  printToStderr(errorText(error));
  process.exitCode = 1;
}
