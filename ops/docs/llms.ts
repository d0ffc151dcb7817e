import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

interface Entry {
  readonly text: string;
  readonly link?: string;
  readonly items?: readonly Entry[];
}

/** The list of all pages for programs that read, in the order of the sidebar: https://llmstxt.org */
export async function llmsText(docs: string): Promise<string> {
  const sections = await Promise.all((await sidebarOf(docs)).map((section) => sectionText(docs, section)));
  return `# svc-runtime

> A TypeScript runtime: declare a typed command once and get a REST endpoint, a GraphQL mutation, an OpenAPI document and a
> typed client. Its events and their audit are committed to PostgreSQL in one transaction. Perspectives are read models.

Each link leads to the Markdown of a page.

${sections.join('\n')}`;
}

export const sidebarOf = async (docs: string): Promise<readonly Entry[]> =>
  JSON.parse(await readFile(join(docs, '.vitepress/sidebar.json'), 'utf8')) as readonly Entry[];

/** The file of a link in the sidebar. */
export const fileOf = (link: string): string =>
  link.endsWith('/') ? `${link.slice(1)}index.md` : `${link.slice(1)}.md`;

async function sectionText(docs: string, { text, items = [] }: Entry): Promise<string> {
  const lines = await Promise.all(
    items.map(async ({ text: name, link = '' }) => {
      const description = await descriptionOf(join(docs, fileOf(link)));
      return `- [${name}](/${fileOf(link)})${description === '' ? '' : `: ${description}`}\n`;
    }),
  );
  return `## ${text}\n\n${lines.join('')}`;
}

/** The description in the front matter of a page; pages of the reference do not exist before they are made. */
async function descriptionOf(file: string): Promise<string> {
  if (file.includes('/reference/')) return '';
  const [, description = ''] = /^---\ndescription: (.*)\n/.exec(await readFile(file, 'utf8')) ?? [];
  return description;
}
