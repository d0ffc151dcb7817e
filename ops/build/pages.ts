import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';

/** The sources of each page, by folder: a style sheet, mostly a script, and the document that embeds them. */
const pages: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'ops/console/page': { app: 'main.tsx', style: 'style/all.css' },
  'endpoints/routes/docs': { script: 'script.ts', style: 'style.css' },
  'endpoints/access/sign-in': { script: 'script.ts', style: 'style.css' },
  'endpoints/routes/landing': { style: 'style.css' },
  'endpoints/graphql/page': { script: 'script.ts', style: 'style.css' },
};

export const pageFolders = Object.keys(pages);

/** Whether a built file belongs to a page. */
export const isOfPage = (path: string): boolean =>
  pageFolders.some((folder) => path.startsWith(`${folder}/`));

/** Builds what browsers load. */
export async function buildPages(root: string): Promise<void> {
  await Promise.all(Object.entries(pages).map(([folder, entries]) => buildPage(root, folder, entries)));
}

async function buildPage(
  root: string,
  folder: string,
  entries: Readonly<Record<string, string>>,
): Promise<void> {
  const [source, target] = [join(root, folder), join(root, 'dist', folder)];
  await mkdir(target, { recursive: true });
  await copyFile(join(source, 'index.html'), join(target, 'index.html'));
  await build({
    entryPoints: Object.fromEntries(
      Object.entries(entries).map(([name, from]) => [name, join(source, from)]),
    ),
    outdir: target,
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    charset: 'utf8',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'none',
    logLevel: 'warning',
  });
}
