import { copyFile, mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const sources = fileURLToPath(new URL('../../', import.meta.url));
const built = fileURLToPath(new URL('../', import.meta.url));

/** The sources of each page, by folder: a style sheet, mostly a script, and the document that embeds them. */
const pages: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'ops/console/page': { app: 'main.tsx', style: 'style/all.css' },
  'endpoints/routes/docs': { script: 'script.ts', style: 'style.css' },
  'endpoints/access/sign-in': { script: 'script.ts', style: 'style.css' },
  'endpoints/routes/landing': { style: 'style.css' },
  'endpoints/graphql/page': { script: 'script.ts', style: 'style.css' },
};

for (const [folder, entries] of Object.entries(pages)) {
  const [source, target] = [`${sources}${folder}/`, `${built}${folder}/`];
  await mkdir(target, { recursive: true });
  await copyFile(`${source}index.html`, `${target}index.html`);
  await build({
    entryPoints: Object.fromEntries(
      Object.entries(entries).map(([name, from]) => [name, `${source}${from}`]),
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
