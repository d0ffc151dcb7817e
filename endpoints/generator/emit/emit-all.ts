import { hostPermissions, monitorPermissions } from '../../../runtime/transport/nats-permissions.js';
import { hasEndpoint, type ServiceModel } from '../model/service-model.js';
import { shapeOf } from '../model/event-shapes.js';
import { endpointFile, filesOf } from '../model/generated-paths.js';
import { emitAsyncApi } from './asyncapi.js';
import { emitClient } from './client.js';
import type { JsonFragment } from './json-fragment.js';
import { emitCodecs } from './codec.js';
import { emitEndpoint } from './endpoint.js';
import { emitSchema } from './graphql.js';
import { banner } from './imports.js';
import { withApprovalsOf } from '../model/approvals.js';
import { Memo } from '../model/memo.js';
import { openApiParts } from './openapi.js';
import { trackedTypes } from '../model/reachable-types.js';
import { sealedMessages } from '../model/sealed-fields.js';
import { redactedTypes } from './redactor.js';
import { emitRegistry } from './registry.js';
import { emitTools } from './tools.js';
import { ts } from '../typescript.js';

export interface GeneratedFile {
  /** Relative to the root of the service. */
  readonly path: string;
  readonly text: string;
}

export interface ServiceInfo {
  readonly title: string;
  readonly version: string;
  /** The first part of the names at the broker; default: `svc`. */
  readonly namespace?: string | undefined;
}

/** Every file of a service, in a fixed order and without timestamps. */
export function emitAll(
  model: ServiceModel,
  info: ServiceInfo,
  memo: Memo = new Memo(),
): readonly GeneratedFile[] {
  const { title, version } = info;
  const shown = withApprovalsOf(model);
  const openApi = openApiParts(shown, { title, version }, memo);
  const schema = emitSchema(shown, memo);
  const asyncApi = emitAsyncApi(shown, info);
  const tools = emitTools(model);
  const paths = filesOf(model);
  const client = emitClient(shown, memo);
  const { script, types } = clientModules(client, memo);
  const files = [
    ...model.commands.filter(hasEndpoint).map((command) =>
      memo.of('endpoint', command, [], model.types, (ask) => ({
        path: `${endpointFile(command)}.ts`,
        text: emitEndpoint(command, { types: trackedTypes(ask) }),
      })),
    ),
    { path: `${paths.codecs}.ts`, text: emitCodecs(model, memo) },
    { path: `${paths.registry}.ts`, text: registryText(model, memo) },
    { path: `${paths.client}.ts`, text: client },
    { path: `${paths.client}.js`, text: script },
    { path: `${paths.client}.d.ts`, text: types },
    { path: `${paths.documents}.ts`, text: documentsText(openApi, asyncApi, schema, tools) },
    { path: paths.asyncApi, text: asyncApi },
    { path: paths.openApi, text: openApi.map(({ text }) => text).join('') },
    ...(model.events.length === 0 ? [] : [{ path: paths.events, text: eventsText(model) }]),
    { path: paths.natsPermissions, text: natsPermissionsText(shown, info) },
    ...(tools === '' ? [] : [{ path: paths.tools, text: tools }]),
    ...(schema === '' ? [] : [{ path: paths.schema, text: schema }]),
  ];
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** The registry depends on the names of messages and handlers, not on their fields. */
function registryText(model: ServiceModel, memo: Memo): string {
  const { commands, types, ...others } = model;
  const redacted = redactedTypes(model);
  const sealed = sealedMessages([...commands, ...model.events], types);
  const inputs = [...Object.values(others), redacted.join(), JSON.stringify(sealed)];
  return memo.of('registry', commands, inputs, types, (ask) =>
    emitRegistry({ ...model, types: trackedTypes(ask) }, redacted, sealed),
  );
}

/** The record of the event shapes. */
const eventsText = ({ events, types }: ServiceModel): string =>
  `${JSON.stringify(Object.fromEntries(events.map((event) => [event.name, shapeOf(event, types)])), undefined, 2)}\n`;

/** What the hosts of this service, and a monitor, need at the broker. */
function natsPermissionsText({ events }: ServiceModel, { namespace }: ServiceInfo): string {
  const names = events.map(({ name }) => name);
  const permissions = { host: hostPermissions(names, namespace), monitor: monitorPermissions(namespace) };
  return `${JSON.stringify(permissions, undefined, 2)}\n`;
}

/** The documents as a module, so that a built host carries them. */
const documentsText = (
  openApi: readonly JsonFragment[],
  asyncApi: string,
  schema: string,
  tools: string,
): string =>
  [
    `${banner}export const openApi = "${openApi.map(({ quoted }) => quoted).join('')}";`,
    `export const asyncApi = ${JSON.stringify(asyncApi)};`,
    ...(tools === '' ? [] : [`export const tools = ${JSON.stringify(tools)};`]),
    `export const schema = ${JSON.stringify(schema)};\n`,
  ].join('\n');

/** The client for a browser without a build step, as an ES module, and its types. */
const clientModules = (client: string, memo: Memo): { readonly script: string; readonly types: string } =>
  memo.of('client modules', memo, [client], undefined, () => {
    const text = client.slice(banner.length);
    const { ES2022 } = ts.ScriptTarget;
    const compilerOptions = { target: ES2022, module: ts.ModuleKind.ES2022 };
    return {
      script: banner + ts.transpileModule(text, { compilerOptions }).outputText,
      types: banner + ts.transpileDeclaration(text, { compilerOptions }).outputText,
    };
  });
