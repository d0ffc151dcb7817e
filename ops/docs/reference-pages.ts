import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { join } from 'node:path';
import { describeFiles } from '../../runtime/schema/described-files.js';
import { files } from '../../runtime/schema/generated/files.js';
import { allVerbs, commandLinePage } from './command-line-page.js';
import { diagnosticsPage, type Stated, statedIn } from './generator-diagnostics-page.js';
import { environmentPage } from './environment-page.js';
import { limitsPage } from './limits-page.js';
import { metricsPage } from './metrics-page.js';
import { problemsPage } from './problems-page.js';
import { readCatalog } from './schema-catalog.js';
import { schemaPicture } from './schema-picture.js';
import { sqlPage } from './sql-page.js';
import { page } from './markdown.js';

export const repository = fileURLToPath(new URL('../../../', import.meta.url));

/** The sources below a folder, without tests. */
export async function sourcesIn(folder: string): Promise<readonly (readonly [path: string, text: string])[]> {
  const found = await readdir(join(repository, folder), { recursive: true });
  const paths = found.filter((path) => /(?<!\.test)\.ts$/.test(path) && !/(?:^|\/)testing\//.test(path));
  return Promise.all(
    paths.map(async (path) => [path, await readFile(join(repository, folder, path), 'utf8')] as const),
  );
}

export async function statedDiagnostics(): Promise<readonly Stated[]> {
  return (await sourcesIn('endpoints/generator')).flatMap(([path, text]) => statedIn(path, text));
}

/** The pages and the picture that are made from the sources, by their paths below docs/reference. */
export async function referencePages(): Promise<Readonly<Record<string, string>>> {
  const { relations } = await readCatalog();
  const schema = await describeFiles(files);
  return {
    'index.md': overview,
    'problems.md': problemsPage(),
    'diagnostics.md': diagnosticsPage(await statedDiagnostics()),
    'environment.md': environmentPage(),
    'command-line.md': commandLinePage(await allVerbs()),
    'metrics.md': metricsPage(),
    'sql.md': sqlPage(relations, schema),
    'tables.svg': schemaPicture(relations, schema),
    'limits.md': limitsPage(),
  };
}

const overview = page(
  'Reference',
  'Made from the sources of this version.',
  `These pages are made from the sources of this version.

- [API](api/index.md): every name that you import from \`svc-runtime\`, \`svc-runtime/system-events\`, \`svc-runtime/testing\` and \`svc-runtime/ops\`
- [Command line](command-line.md)
- [Environment](environment.md)
- [Problems](problems.md)
- [Diagnostics of the generator](diagnostics.md)
- [Metrics](metrics.md)
- [SQL](sql.md)
- [Limits](limits.md)
`,
);
