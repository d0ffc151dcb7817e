import { cp, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';

export interface NewService {
  readonly name: string;
  readonly folder: string;
}

/** One line that says why no service was created. */
export interface Refusal {
  readonly refused: string;
}

/** The name of the service in the template, and the files that hold it. */
const placeholder = 'my-service';
const filesWithName = ['package.json', 'README.md', join('src', 'main.ts')];

/** Writes the template into a folder that is new or empty; the service is named after the folder. */
export async function createService(template: string, dir: string): Promise<NewService | Refusal> {
  const folder = resolve(dir);
  const name = basename(folder);
  const refused = refusalOfName(name) ?? (await refusalOfFolder(dir, folder));
  if (refused !== undefined) return { refused };
  await cp(template, folder, { recursive: true });
  // npm leaves a file of its real name out of a package.
  await rename(join(folder, 'gitignore'), join(folder, '.gitignore'));
  for (const file of filesWithName) {
    const path = join(folder, file);
    await writeFile(path, (await readFile(path, 'utf8')).replaceAll(placeholder, name));
  }
  return { name, folder };
}

const longestName = 100;

const refusalOfName = (name: string): string | undefined =>
  /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(name) && name.length <= longestName
    ? undefined
    : `'${name}' cannot name a service; use lower-case letters, digits and hyphens, such as ${placeholder}.`;

async function refusalOfFolder(dir: string, folder: string): Promise<string | undefined> {
  try {
    const entries = await readdir(folder);
    return entries.every((entry) => entry === '.git') ? undefined : `${dir} is not empty; name a new folder.`;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? undefined : `${dir} is not a folder.`;
  }
}

/** What to type next. */
export const nextSteps = (dir: string, { name }: NewService): string =>
  [
    `Created ${name}.`,
    '',
    ...(resolve(dir) === process.cwd() ? [] : [`  cd ${dir}`]),
    '  npm install',
    '  npm run dev',
    '',
  ]
    .map((line) => `${line}\n`)
    .join('');
