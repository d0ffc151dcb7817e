import { readFile, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Problem } from '../contracts/problems.js';
import type { ServiceDefinition } from '../endpoints/registry.js';

/** Loads the service definition of a folder or a .js file. */
export async function loadApplication(app: string): Promise<ServiceDefinition> {
  const file = await moduleOf(app);
  let module: { default?: unknown };
  try {
    module = (await import(pathToFileURL(file).href)) as { default?: unknown };
  } catch (error) {
    if (error instanceof Problem) throw error;
    const reason = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
    throw new Problem('invalid-setup', { detail: `${app} cannot be loaded: ${reason}`, cause: error });
  }
  if (!isDefinition(module.default)) {
    throw new Problem('invalid-setup', {
      detail: `${app} has no service definition; its default export must be { name, create(dispatcher) }.`,
    });
  }
  return module.default;
}

async function moduleOf(app: string): Promise<string> {
  const path = resolve(app);
  const found = await stat(path).catch(() => undefined);
  if (found === undefined)
    throw new Problem('invalid-setup', { detail: `There is no application at ${app}.` });
  if (!found.isDirectory()) return path;
  const manifest = await readFile(join(path, 'package.json'), 'utf8').catch(() => undefined);
  if (manifest === undefined) throw new Problem('invalid-setup', { detail: `${app} has no package.json.` });
  const main = mainOf(manifest);
  if (main === undefined)
    throw new Problem('invalid-setup', { detail: `${app}/package.json names no built module in "main".` });
  return join(path, main);
}

function mainOf(manifest: string): string | undefined {
  try {
    const { main } = JSON.parse(manifest) as { main?: unknown };
    return typeof main === 'string' ? main : undefined;
  } catch {
    return undefined;
  }
}

const isDefinition = (value: unknown): value is ServiceDefinition =>
  typeof value === 'object' &&
  value !== null &&
  typeof (value as ServiceDefinition).name === 'string' &&
  typeof (value as ServiceDefinition).create === 'function';
