import { type ListedVerb, verbs } from '../verbs.js';
import { page } from './markdown.js';

interface DocumentedVerb extends ListedVerb {
  readonly help: string;
}

/** Every verb of the command line with its help, by name. */
export async function allVerbs(): Promise<readonly DocumentedVerb[]> {
  const all = await Promise.all(verbs.map(async (verb) => ({ ...verb, help: (await verb.load()).help })));
  return all.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

export function commandLinePage(documented: readonly DocumentedVerb[]): string {
  const sections = documented.map(
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
