import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { Problem } from '../../contracts/problems.js';
import type { ServiceDefinition } from '../../endpoints/service-definition.js';

/** The surroundings of an application's module. */
interface ServiceSource {
  readonly module: string;
  /** The folder of its SQL files, if it has one. */
  readonly migrations: string | undefined;
  readonly version: string | undefined;
}

const serviceSources = new WeakMap<ServiceDefinition, ServiceSource>();

/** Where a definition was loaded from. */
export const serviceSourceOf = (definition: ServiceDefinition): ServiceSource | undefined =>
  serviceSources.get(definition);

/** Loads the service definition of a folder or a .js file. */
export async function loadService(app: string): Promise<ServiceDefinition> {
  const file = await builtModuleOf(app);
  let module: { default?: unknown };
  try {
    module = (await import(pathToFileURL(file).href)) as { default?: unknown };
  } catch (error) {
    if (error instanceof Problem) throw error;
    const reason = error instanceof SyntaxError ? await syntaxReason(error, file) : reasonOf(error);
    throw new Problem('invalid-setup', { detail: `${app} cannot be loaded: ${reason}`, cause: error });
  }
  if (!isServiceDefinition(module.default)) {
    throw new Problem('invalid-setup', {
      detail: `${app} has no service definition; its default export must be { name, create(dispatcher) }.`,
    });
  }
  serviceSources.set(module.default, await findServiceSource(app, file));
  return module.default;
}

/** The module of a folder or a .js file, without loading it. */
export async function builtModuleOf(app: string): Promise<string> {
  const file = await entryModuleOf(app);
  mustUseThisRuntime(app, file);
  return file;
}

/** Two copies of the runtime do not know each other's classes. */
function mustUseThisRuntime(app: string, file: string): void {
  const ours = runtimeFrom(fileURLToPath(import.meta.url));
  const theirs = runtimeFrom(file);
  if (ours === undefined || theirs === undefined || ours === theirs) return;
  throw new Problem('invalid-setup', {
    detail: `${app} uses the svc-runtime in ${theirs}, but this svc belongs to ${ours}; run npx svc in the folder of the application.`,
  });
}

function runtimeFrom(file: string): string | undefined {
  try {
    return dirname(createRequire(file).resolve('svc-runtime/package.json'));
  } catch {
    return undefined;
  }
}

/** XState names the state in one line, and what is wrong with it in the next. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const [first = '', second = ''] = error.message.split('\n');
  return first.endsWith(':') ? `${first} ${second}` : first;
}

/** Node.js names the file of a syntax error only if nothing catches it: run it in another process. */
async function syntaxReason(error: SyntaxError, file: string): Promise<string> {
  const [location = '', line = ''] = (await importErrorText(file)).split('\n');
  const [, url, number] = /^(file:.*):(\d+)$/.exec(location) ?? [];
  const at = url === undefined ? '' : ` at ${fileURLToPath(url)}:${number}`;
  const hint = /(?:^|[\s;{}])@\w/.test(line) ? decoratorHint : '';
  return `${error.message}${at}${hint}`;
}

async function importErrorText(file: string): Promise<string> {
  const script = `import(${JSON.stringify(pathToFileURL(file).href)})`;
  try {
    return (await run(process.execPath, ['-e', script], { timeout: 10_000 })).stderr;
  } catch (ended) {
    return (ended as { readonly stderr?: string }).stderr ?? '';
  }
}

const run = promisify(execFile);
const decoratorHint =
  '; decorators must be compiled for this Node.js: set "target": "ES2022" in tsconfig.json';

async function entryModuleOf(app: string): Promise<string> {
  const path = resolve(app);
  const found = await stat(path).catch(() => undefined);
  if (found === undefined)
    throw new Problem('invalid-setup', { detail: `There is no application at ${app}.` });
  if (!found.isDirectory()) return path;
  const manifest = await readFile(join(path, 'package.json'), 'utf8').catch(() => undefined);
  if (manifest === undefined) throw new Problem('invalid-setup', { detail: `${app} has no package.json.` });
  const main = manifestField(manifest, 'main');
  if (main === undefined)
    throw new Problem('invalid-setup', { detail: `${app}/package.json names no built module in "main".` });
  const module = join(path, main);
  if ((await stat(module).catch(() => undefined)) === undefined)
    throw new Problem('invalid-setup', {
      detail: `${app} is not built: there is no ${main}, which its package.json names in "main"; run npm run build.`,
    });
  return module;
}

async function findServiceSource(app: string, file: string): Promise<ServiceSource> {
  const path = resolve(app);
  const root = path === file ? dirname(file) : path;
  const source = { module: file, version: await versionIn(root) };
  for (const folder of [join(root, 'migrations'), join(dirname(file), 'migrations')]) {
    const found = await stat(folder).catch(() => undefined);
    if (found?.isDirectory() === true) return { ...source, migrations: folder };
  }
  return { ...source, migrations: undefined };
}

/** The version in the package.json of a folder. */
export const versionIn = async (folder: string): Promise<string | undefined> =>
  manifestField(await readFile(join(folder, 'package.json'), 'utf8').catch(() => '{}'), 'version');

function manifestField(manifest: string, name: string): string | undefined {
  try {
    const { [name]: value } = JSON.parse(manifest) as Record<string, unknown>;
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}

const isServiceDefinition = (value: unknown): value is ServiceDefinition =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as ServiceDefinition).name === 'string' &&
  typeof (value as ServiceDefinition).create === 'function';
