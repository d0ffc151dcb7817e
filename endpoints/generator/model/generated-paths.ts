import { posix } from 'node:path';
import type { Exported } from './service-model.js';

/** The generated files of a whole service, relative to its root; those of sources without `.ts`. */
export const filesOf = ({ sourceRoot = '' }: { readonly sourceRoot?: string }) => {
  const generated = (name: string): string => posix.join(sourceRoot, 'generated', name);
  return {
    registry: generated('registry'),
    codecs: generated('codecs'),
    client: generated('client'),
    documents: generated('documents'),
    openApi: generated('openapi.json'),
    asyncApi: generated('asyncapi.json'),
    schema: generated('schema.graphql'),
    events: generated('events.json'),
    tools: generated('tools.json'),
    natsPermissions: generated('nats-permissions.json'),
  };
};

/** Beside the command's file: the TypeScript form of `<CommandNamespace>.Generated`. */
export const endpointFile = ({ name, file }: Exported): string =>
  posix.join(posix.dirname(file), 'generated', `${kebab(name)}.endpoint`);

export const kebab = (name: string): string =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replaceAll(/([A-Z]+)([A-Z][a-z])/g, '$1-$2')
    .toLowerCase();

/** The import specifier from one generated file to another file of the service. */
export function specifier(from: string, to: string): string {
  const path = posix.relative(posix.dirname(from), to);
  return `${path.startsWith('.') ? path : `./${path}`}.js`;
}
