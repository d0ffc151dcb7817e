import { readdir } from 'node:fs/promises';
import type { Verb } from '../verb.js';
import { page } from './table.js';

const folder = new URL('../commands/', import.meta.url);

/** Every verb that a module of the command line exports. */
export async function allVerbs(): Promise<readonly Verb[]> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.js') && !name.includes('.test.'));
  const modules = await Promise.all(
    files.map(
      async (name) => (await import(new URL(name, folder).href)) as Readonly<Record<string, unknown>>,
    ),
  );
  return modules
    .flatMap((module) => Object.values(module))
    .filter(isVerb)
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

const isVerb = (value: unknown): value is Verb =>
  typeof value === 'object' &&
  value !== null &&
  ['name', 'usage', 'summary', 'help'].every(
    (member) => typeof (value as Record<string, unknown>)[member] === 'string',
  );

export function commandLinePage(verbs: readonly Verb[]): string {
  const sections = verbs.map(
    ({ name, summary, help }) => `## svc ${name}\n\n${summary}\n\n\`\`\`text\n${help.trim()}\n\`\`\`\n`,
  );
  return page(
    'Command line',
    'Every verb of svc with its help.',
    `Data goes to stdout, everything else to stderr. Every verb has \`--help\`, and \`--json\` where it prints data. A failure
is one line, and the exit code is not 0.

${sections.join('\n')}`,
  );
}
