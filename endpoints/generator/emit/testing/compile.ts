import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { Problem } from '../../../../contracts/problems.js';

const root = fileURLToPath(new URL('../../../../../', import.meta.url));

/** As strict as a consumer may be. */
const compilerOptions = {
  target: 'ES2022',
  module: 'NodeNext',
  lib: ['ES2023'],
  types: [],
  strict: true,
  noUncheckedIndexedAccess: true,
  noImplicitOverride: true,
  noImplicitReturns: true,
  noFallthroughCasesInSwitch: true,
  noPropertyAccessFromIndexSignature: true,
  noUnusedLocals: true,
  noUnusedParameters: true,
  exactOptionalPropertyTypes: true,
  verbatimModuleSyntax: true,
  isolatedModules: true,
  declaration: true,
  skipLibCheck: true,
  rootDir: 'src',
  outDir: 'dist',
  paths: {
    'svc-runtime': [join(root, 'dist/index.d.ts')],
    'svc-runtime/*': [join(root, 'dist/*/index.d.ts')],
  },
};

/** Compiles sources (by path without `.ts`) like a consumer of this package, and loads one of them. */
export async function loadCompiled(
  sources: ReadonlyMap<string, string>,
  entry: string,
): Promise<Record<string, unknown>> {
  const directory = await mkdtemp(join(tmpdir(), 'svc-generated-'));
  try {
    await write(join(directory, 'package.json'), JSON.stringify({ type: 'module' }));
    await write(join(directory, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['src'] }));
    await mkdir(join(directory, 'node_modules'));
    // It runs in the process of the test, on the same modules.
    await symlink(join(root, 'build'), join(directory, 'node_modules/svc-runtime'), 'junction');
    for (const [path, text] of sources) await write(join(directory, 'src', `${path}.ts`), text);
    await compile(directory);
    return (await import(pathToFileURL(join(directory, 'dist', `${entry}.js`)).href)) as Record<
      string,
      unknown
    >;
  } finally {
    await rm(directory, { recursive: true });
  }
}

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

async function compile(directory: string): Promise<void> {
  const packageFile = createRequire(import.meta.url).resolve('typescript/package.json');
  const compiler = join(dirname(packageFile), 'bin/tsc');
  try {
    await promisify(execFile)(process.execPath, [compiler, '-p', directory], { cwd: directory });
  } catch (error) {
    const detail = error instanceof Error && 'stdout' in error ? String(error.stdout) : String(error);
    throw new Problem('invalid-setup', { detail, cause: error });
  }
}
