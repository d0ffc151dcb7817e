import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Writes the files of our own schema into one module: the text in a file is the text that runs. */
export async function writeSchema(root: string): Promise<void> {
  const folder = join(root, 'runtime/schema');
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort();
  const files = await Promise.all(
    names.map(async (name) => ({
      name: name.replace(/\.sql$/, ''),
      sql: await readFile(join(folder, name), 'utf8'),
    })),
  );
  const module = `export const files = ${JSON.stringify(files, undefined, 2)};\n`;
  const path = join(folder, 'generated/files.ts');
  if ((await readFile(path, 'utf8').catch(() => '')) === module) return;
  await mkdir(join(folder, 'generated'), { recursive: true });
  await writeFile(path, module);
}
