import { fileURLToPath } from 'node:url';
import { Problem } from '../../contracts/problems.js';
import { createService, nextSteps } from '../create/create.js';
import { useExample } from '../create/example.js';
import { printToStderr, printToStdout } from '../terminal/print.js';
import type { Verb } from '../cli/verb.js';
import { argumentsOf, usageOf } from './arguments.js';

const examples = ['orders'];

export const newVerb: Verb = {
  help: `
svc new <dir> [--example orders] [--json]

Creates a service in a new folder and names it after the folder. npm install and npm run dev
in that folder install and start it.

  --example orders   starts from the orders example: commands, hooks, read models, a reaction, a process, a schedule
  --json             prints JSON: the name and the folder

  svc new my-service`,
  run: async (args) => {
    const { dir, example, json } = parse(args);
    const created = await createService(inPackage('ops/create/template'), dir);
    if ('refused' in created) throw new Problem('usage', { detail: created.refused });
    if (example !== undefined) await useExample(inPackage(`examples/${example}`), created.folder);
    if (json) printToStdout(`${JSON.stringify(created)}\n`);
    else printToStderr(nextSteps(dir, created));
  },
};

const inPackage = (path: string): string => fileURLToPath(new URL(`../../../${path}`, import.meta.url));

const usage = usageOf('new');

function parse(args: readonly string[]) {
  const options = { example: { type: 'string' }, json: { type: 'boolean', default: false } } as const;
  const { values, positionals } = argumentsOf(args, options, usage);
  const [dir, ...rest] = positionals;
  if (dir === undefined || rest.length > 0) throw usage('Name one folder: svc new <dir>');
  const { example, json } = values;
  if (example !== undefined && !examples.includes(example))
    throw usage(`There is no example '${example}'; there is ${examples.join(', ')}`);
  return { dir, example, json };
}
