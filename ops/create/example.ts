import { cp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

type Versions = Readonly<Record<string, string>>;

/** Puts the sources of an example into a new service, instead of those of the template. */
export async function useExample(example: string, folder: string): Promise<void> {
  const sources = join(folder, 'src');
  await rm(sources, { recursive: true });
  for (const name of await readdir(example)) {
    if (name.endsWith('.ts')) await cp(join(example, name), join(sources, name));
  }
  await cp(join(example, 'README.md'), join(folder, 'README.md'));
  await addDevDependencies(join(folder, 'package.json'), join(example, 'package.json'));
}

async function addDevDependencies(to: string, from: string): Promise<void> {
  const manifest = await manifestAt(to);
  const { devDependencies } = await manifestAt(from);
  const together = { ...manifest, devDependencies: { ...manifest.devDependencies, ...devDependencies } };
  await writeFile(to, `${JSON.stringify(together, undefined, 2)}\n`);
}

const manifestAt = async (path: string): Promise<{ readonly devDependencies?: Versions }> =>
  JSON.parse(await readFile(path, 'utf8')) as { readonly devDependencies?: Versions };
