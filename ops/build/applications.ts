import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';

/** What runs on the package in tests and benches: services, a driver. They import modules, since other tests use them in their process. */
const services = [
  'ops/bench/durable/our-app.ts',
  'ops/chaos/harness/exchanging-orders.ts',
  'ops/chaos/history/history-service.ts',
  'ops/chaos/ledgers/ledger-service.ts',
  'ops/chaos/mixed/mixed-service.ts',
  'ops/deploy/testing/file-driver.ts',
  'ops/testing/card-service.ts',
  'ops/testing/customer-service.ts',
  'ops/testing/followed-shop.ts',
  'ops/testing/following-service.ts',
  'ops/testing/queueing-till.ts',
];

/** Programs of tests that run single parts, which the package does not offer. */
const programs = [
  'actors/testing/effect-process.ts',
  'actors/testing/perspective-process.ts',
  'actors/testing/reaction-process.ts',
  'actors/testing/relay-process.ts',
  'actors/testing/subscriber-process.ts',
  'ops/chaos/effects/effect-host.ts',
  'ops/chaos/effects/provider.ts',
];

/** Builds what tests start as a process into `build/applications/`: a service runs on the bundle of the package. */
export async function buildApplications(root: string): Promise<void> {
  const outdir = join(root, 'build/applications');
  await rm(outdir, { recursive: true, force: true });
  const shared = {
    absWorkingDir: root,
    outdir,
    outbase: root,
    // As deep as a module of a room, so that what looks for package.json finds it.
    chunkNames: 'chunks/[name]-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    sourcemap: 'linked',
    sourcesContent: false,
    logLevel: 'warning',
  } as const;
  await build({ ...shared, entryPoints: services, packages: 'external', plugins: [onPackage(root)] });
  await build({ ...shared, entryPoints: programs, packages: 'external' });
  await writeFile(join(outdir, 'package.json'), '{ "type": "module" }');
}

/** What the entry point of `ops` exports. */
const ofOps = ['ops/config/config.js', 'ops/host/host.js'];

/** Takes modules of the package from its entry points, by the same names. */
const onPackage = (root: string): Plugin => ({
  name: 'on-package',
  setup: (building) => {
    // The package, and not the folder that our tsconfig.json has under its name.
    building.onResolve({ filter: /^svc-runtime/ }, ({ path }) => ({ path, external: true }));
    building.onResolve({ filter: /^\.{1,2}\// }, ({ path, resolveDir }) => {
      const module = join(resolveDir, path).slice(join(root, '/').length);
      const [folder = ''] = module.split(/[\\/]/);
      if (ofOps.includes(module.replaceAll('\\', '/'))) return { path: 'svc-runtime/ops', external: true };
      if (/[\\/](?:testing|kit)[\\/]/.test(module) || folder === 'ops') return undefined;
      if (!/codec\.js$|redaction\.js$/.test(module)) return { path: `svc-runtime/${folder}`, external: true };
      return { path: 'codec', namespace: 'on-package' };
    });
    building.onLoad({ filter: /^codec$/, namespace: 'on-package' }, async () => {
      const module = pathToFileURL(join(root, 'build/contracts/codec.js')).href;
      const names = Object.keys((await import(module)) as object);
      const contents = `import { codec } from 'svc-runtime/contracts';\nexport const { ${names.join(', ')} } = codec;`;
      return { contents, resolveDir: root };
    });
  },
});
