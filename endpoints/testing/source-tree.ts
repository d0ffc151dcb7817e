import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The repository. */
export const repository: string = fileURLToPath(new URL('../../../', import.meta.url));
const declarations = join(repository, 'dist');

const tsconfig = (extra: object) => ({
  compilerOptions: {
    target: 'ES2022',
    module: 'NodeNext',
    lib: ['ES2023'],
    types: ['node'],
    strict: true,
    noUncheckedIndexedAccess: true,
    noImplicitOverride: true,
    noUnusedLocals: true,
    exactOptionalPropertyTypes: true,
    verbatimModuleSyntax: true,
    isolatedModules: true,
    skipLibCheck: true,
    outDir: 'dist',
    rootDir: '.',
    paths: {
      'svc-runtime': [join(declarations, 'index.d.ts')],
      'svc-runtime/system-events': [join(declarations, 'actors/system-events/index.d.ts')],
      'svc-runtime/testing': [join(declarations, 'actors/kit/index.d.ts')],
      'svc-runtime/*': [join(declarations, '*/index.d.ts')],
    },
    ...extra,
  },
  include: ['.'],
});

/** A folder of sources inside this package, so that they resolve it by its name; removed afterwards. */
export async function withSources<T>(
  files: Readonly<Record<string, string>>,
  use: (dir: string) => T | Promise<T>,
  compilerOptions: object = {},
): Promise<T> {
  const cache = join(repository, 'node_modules/.cache');
  await mkdir(cache, { recursive: true });
  const dir = await mkdtemp(join(cache, 'sources-'));
  try {
    const all = { 'tsconfig.json': JSON.stringify(tsconfig(compilerOptions)), ...files };
    for (const [name, text] of Object.entries(all)) {
      await mkdir(dirname(join(dir, name)), { recursive: true });
      await writeFile(join(dir, name), text);
    }
    return await use(dir);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}
