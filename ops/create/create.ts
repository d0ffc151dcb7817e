import { cp, mkdir, readdir, readFile, realpath, rename, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';

interface NewService {
  readonly name: string;
  readonly folder: string;
}

/** One line that says why no service was created. */
interface Refusal {
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
  try {
    await writeService(template, folder, name);
    return { name, folder };
  } catch (error) {
    return { refused: `${dir} cannot be written to (${codeOf(error)}); name another folder.` };
  }
}

async function writeService(template: string, folder: string, name: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  // What is copied does not replace a link.
  const target = await realpath(folder);
  await cp(template, target, { recursive: true });
  // npm leaves a file of its real name out of a package.
  await rename(join(target, 'gitignore'), join(target, '.gitignore'));
  for (const file of filesWithName) {
    const path = join(target, file);
    await writeFile(path, (await readFile(path, 'utf8')).replaceAll(placeholder, name));
  }
}

const codeOf = (error: unknown): string => (error as NodeJS.ErrnoException).code ?? String(error);

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
    const code = codeOf(error);
    if (code === 'ENOENT') return undefined;
    return code === 'ENOTDIR' ? `${dir} is not a folder.` : `${dir} cannot be read (${code}).`;
  }
}

/** What to type next. */
export const nextSteps = (dir: string, { name }: NewService): string =>
  [
    `Created ${name}.`,
    '',
    ...(resolve(dir) === process.cwd() ? [] : [`  cd ${forShell(dir)}`]),
    '  npm install',
    '  npm run dev',
    '',
  ]
    .map((line) => `${line}\n`)
    .join('');

const forShell = (path: string): string =>
  /^[\p{L}\d_./\\:~-]+$/u.test(path) ? path : `"${path.replaceAll(/["$`]/g, '\\$&')}"`;
