import type { ServiceModel } from '../model.js';
import {
  clientFile,
  codecsFile,
  documentsFile,
  endpointFile,
  openApiFile,
  registryFile,
  schemaFile,
} from '../paths.js';
import { emitClient } from './client.js';
import { emitCodecs } from './codec.js';
import { emitEndpoint } from './endpoint.js';
import { emitSchema } from './graphql.js';
import { banner } from './imports.js';
import { emitOpenApi } from './openapi.js';
import { emitRegistry } from './registry.js';

export interface GeneratedFile {
  /** Relative to the root of the service. */
  readonly path: string;
  readonly text: string;
}

export interface ServiceInfo {
  readonly title: string;
  readonly version: string;
}

/** Every file of a service, in one order, with no trace of when it was written. */
export function emitAll(model: ServiceModel, info: ServiceInfo): readonly GeneratedFile[] {
  const openApi = emitOpenApi(model, info);
  const schema = emitSchema(model);
  const files = [
    ...model.commands.map((command) => ({
      path: `${endpointFile(command)}.ts`,
      text: emitEndpoint(command, model),
    })),
    { path: `${codecsFile}.ts`, text: emitCodecs(model) },
    { path: `${registryFile}.ts`, text: emitRegistry(model) },
    { path: `${clientFile}.ts`, text: emitClient(model) },
    { path: `${documentsFile}.ts`, text: documentsText(openApi, schema) },
    { path: openApiFile, text: openApi },
    ...(schema === '' ? [] : [{ path: schemaFile, text: schema }]),
  ];
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** The documents as a module, so that a built host carries them. */
const documentsText = (openApi: string, schema: string): string =>
  `${banner}export const openApi = ${JSON.stringify(openApi)};\nexport const schema = ${JSON.stringify(schema)};\n`;
