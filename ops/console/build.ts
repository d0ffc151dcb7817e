import { copyFile, mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const source = fileURLToPath(new URL('../../../ops/console/page/', import.meta.url));
const target = fileURLToPath(new URL('./page/', import.meta.url));

await mkdir(target, { recursive: true });
await copyFile(`${source}index.html`, `${target}index.html`);
await build({
  entryPoints: { app: `${source}main.tsx`, style: `${source}style/all.css` },
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
