import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Problem } from '../../contracts/problems.js';
import { type Diagnostic, formatDiagnostic } from '../../endpoints/generator/diagnostics.js';
import type { ServiceInfo } from '../../endpoints/generator/emit/emit-all.js';
import { Generator } from '../../endpoints/generator/generate.js';
import { plainCopies } from '../../endpoints/generator/model/plain-copies.js';
import type { ServiceModel } from '../../endpoints/generator/model/service-model.js';
import { namespaceOf } from '../config/nats-config.js';
import { printToStderr } from '../terminal/print.js';

/** The generator of the service in a folder. */
export const generatorOf = async (dir: string, options?: { readonly acceptEvents: boolean }) =>
  new Generator(dir, await infoOf(dir), options);

/** Where each mistake is, and what to do about it. */
export function printDiagnostics(diagnostics: readonly Diagnostic[]): void {
  for (const diagnostic of diagnostics) printToStderr(`${formatDiagnostic(diagnostic, process.cwd())}\n`);
}

/** What may be meant, and is rarely wanted. */
export function printWarnings(model: ServiceModel): void {
  for (const { of, field, sealed } of plainCopies(model))
    printToStderr(
      `${of.file}.ts: warning: ${sealed} has a subject, and the audit keeps ${field} as it is, also when the subject is forgotten; mark ${field} @Sensitive() if it is the same value\n`,
    );
}

/** The title and version of the contract are the package's; the names at the broker are those of the hosts. */
export async function infoOf(dir: string): Promise<ServiceInfo> {
  const path = join(dir, 'package.json');
  const manifest = await readFile(path, 'utf8').catch(() => '{}');
  const { name, version } = manifestIn(manifest, path);
  const faults: string[] = [];
  const namespace = namespaceOf(process.env, faults);
  if (faults.length > 0) throw new Problem('invalid-setup', { detail: faults.join('; ') });
  return {
    namespace,
    title: typeof name === 'string' ? name : basename(dir),
    version: typeof version === 'string' ? version : '0.0.0',
  };
}

function manifestIn(text: string, path: string): { readonly name?: unknown; readonly version?: unknown } {
  try {
    return (JSON.parse(text) as object | null) ?? {};
  } catch (error) {
    throw new Problem('invalid-setup', { detail: `${path}: ${(error as Error).message}.`, cause: error });
  }
}
