import { writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Problem } from '../../contracts/problems.js';
import type { Diagnostic } from '../../endpoints/generator/diagnostics.js';
import { emitStub } from '../../endpoints/generator/emit/endpoint.js';
import type { Generator } from '../../endpoints/generator/generate.js';
import { kebab } from '../../endpoints/generator/model/generated-paths.js';
import { watchGeneratedFile, watchSources } from '../../endpoints/generator/watch-sources.js';
import {
  type Difference,
  differenceOf,
  WrittenFiles,
  writeDifference,
} from '../../endpoints/generator/write-generated-files.js';
import { printToStderr, printToStdout } from '../terminal/print.js';
import { argumentsOf, usageOf } from './arguments.js';
import { generatorOf, infoOf, printDiagnostics, printWarnings } from '../dev/service-generator.js';

export async function runGenerate(args: readonly string[]): Promise<void> {
  const { values, positionals } = parse(args);
  const dir = resolve(positionals[0] ?? '.');
  const acceptEvents = values['accept-events'] === true;
  const generator = await generatorOf(dir, { acceptEvents });
  if (values.stub !== undefined) await writeStub(generator, values.stub);
  else if (values.watch === true) await generateOnChange(generator);
  else await generateOnce(generator, values.check === true, values.json === true);
}

function parse(args: readonly string[]) {
  const options = {
    check: { type: 'boolean' },
    watch: { type: 'boolean' },
    json: { type: 'boolean' },
    stub: { type: 'string' },
    'accept-events': { type: 'boolean' },
  } as const;
  return argumentsOf(args, options, usageOf('generate'));
}

async function generateOnce(generator: Generator, check: boolean, json: boolean): Promise<void> {
  const generated = generator.run();
  if (!generated.ok) return refuse(generated.diagnostics, json);
  printWarnings(generated.model);
  const difference = await differenceOf(generator.root, generated.files);
  const touched = [...difference.changed.map(({ path }) => path), ...difference.vanished];
  if (check && touched.length > 0) {
    process.exitCode = 1;
    for (const path of touched) printToStderr(`${path} is stale; run svc generate\n`);
  }
  if (!check) await writeDifference(generator.root, difference);
  if (json)
    printToStdout(
      `${JSON.stringify({ commands: generated.model.commands.length, stale: check ? touched : [], written: check ? [] : touched })}\n`,
    );
  else printToStderr(`${summary(generated.model.commands.length, difference)}\n`);
}

function refuse(diagnostics: readonly Diagnostic[], json: boolean): void {
  process.exitCode = 1;
  if (json) printToStdout(`${JSON.stringify({ diagnostics })}\n`);
  printDiagnostics(diagnostics);
}

const summary = (commands: number, { changed, vanished }: Difference): string =>
  `${commands} command${commands === 1 ? '' : 's'}, ${changed.length} file${changed.length === 1 ? '' : 's'} changed, ${vanished.length} removed`;

async function generateOnChange(generator: Generator): Promise<void> {
  const written = new WrittenFiles(generator.root);
  let stopWatchingEvents: () => void = () => undefined;
  const regenerate = async (): Promise<void> => {
    const started = performance.now();
    stopWatchingEvents();
    generator.describe(await infoOf(generator.root));
    const generated = generator.run();
    if (!generated.ok) {
      stopWatchingEvents = watchGeneratedFile(generated.recordedEvents, onChange);
      return printDiagnostics(generated.diagnostics);
    }
    printWarnings(generated.model);
    const difference = await written.update(generated.files);
    printToStderr(
      `${summary(generated.model.commands.length, difference)} in ${Math.round(performance.now() - started)} ms\n`,
    );
  };
  // Start watching before the first run, so that no change during it is missed.
  let running = Promise.resolve();
  const onChange = (): void => {
    running = running.then(regenerate).catch((error: unknown) => {
      printToStderr(`svc: ${error instanceof Error ? error.message : String(error)}\n`);
    });
  };
  const stopWatchingSources = watchSources(generator.root, onChange);
  const stop = (): void => {
    stopWatchingSources();
    stopWatchingEvents();
  };
  running = running.then(regenerate);
  try {
    await running;
  } catch (error) {
    stop();
    throw error;
  }
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  for (let times = 0; times < warmUpRuns; times++) {
    await nextTurn();
    generator.rehearse();
  }
}

/** The JIT compiler has optimized most of the code after this many runs. */
const warmUpRuns = 4;

async function writeStub(generator: Generator, name: string): Promise<void> {
  const model = generator.peek();
  const command = model.commands.find((candidate) => candidate.name === name);
  if (command === undefined)
    throw new Problem('usage', { detail: `There is no command ${name} in ${generator.root}.` });
  const path = join(generator.root, dirname(command.file), `${kebab(name)}.endpoint.ts`);
  try {
    await writeFile(path, emitStub(command, model), { flag: 'wx' });
  } catch (error) {
    throw new Problem('usage', { detail: `${path} already exists and is not overwritten.`, cause: error });
  }
  printToStderr(`wrote ${path}\n`);
}
