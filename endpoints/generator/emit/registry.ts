import type { SealedField } from '../../../contracts/sealing.js';
import {
  type CommandModel,
  type ConstructedModel,
  type DeciderModel,
  type DependencyModel,
  hasEndpoint,
  type OwnRouteModel,
  type ReceptorModel,
  type ServiceModel,
  type TypeModel,
  type WithTypes,
} from '../model/service-model.js';
import { needsApproval } from '../model/approvals.js';
import { endpointFile, filesOf } from '../model/generated-paths.js';
import { fieldsOf, placeOf } from '../model/own-route-fields.js';
import type { sealedMessages } from '../model/sealed-fields.js';
import { resultText } from './endpoint.js';
import { banner, Imports } from './imports.js';
import { quoted } from './source-text.js';

type Registered = Omit<ServiceModel, 'types'> & WithTypes;

/** Everything a host loads: there is no run-time discovery. */
export function emitRegistry(
  model: Registered,
  redacted: readonly string[],
  sealed: ReturnType<typeof sealedMessages> = [],
): string {
  const imports = new Imports(filesOf(model).registry);
  const commands = new Map(model.commands.map((command) => [command.name, command]));
  const hasTools = isForAgents(model);
  const [opening, closing] = approving(model, imports);
  imports.type('svc-runtime/contracts', 'Dispatcher');
  imports.type('svc-runtime/endpoints', 'Registry');
  const parts = [
    list(
      'endpoints',
      model.commands.filter(hasEndpoint).map((command) => endpointLine(command, imports)),
    ),
    list(
      'receptors',
      model.receptors.map((receptor) => receptorLine(receptor, commands, model, imports)),
    ),
    list(
      'perspectives',
      model.perspectives.map((perspective) => construct(perspective, imports)),
    ),
    ...namedParts(model, commands, imports),
    list(
      'events',
      model.events.map((event) => named(event.name, event.file, imports)),
    ),
    list(
      'redactions',
      redacted.map((name) => redactionLine(name, model, imports)),
    ),
    optional('sealed', sealed.map(sealedLine)),
    list('flags', model.flags.map(quoted)),
    `    openApi,\n    asyncApi,\n    schema,\n${hasTools ? '    tools,\n' : ''}`,
  ];
  const dependencies = dependenciesText(model.dependencies, imports);
  imports.value('./documents.js', 'asyncApi', 'openApi', 'schema', ...(hasTools ? ['tools'] : []));
  const parameter =
    model.dependencies.length === 0 ? '_dependencies: Dependencies = {}' : 'dependencies: Dependencies';
  return `${banner}${imports.text}
/** The dependencies of endpoints, receptors and perspectives. */
${dependencies}
export function create(dispatcher: Dispatcher, ${parameter}): Registry {
${dispatcherIsUsed(model) ? '' : '  void dispatcher;\n'}  return ${opening}{
${parts.join('')}  }${closing};
}
`;
}

/** The runtime adds its own parts to a registry with approvals. */
function approving({ commands }: Registered, imports: Imports): readonly [string, string] {
  if (!commands.some(needsApproval)) return ['', ''];
  imports.value('svc-runtime/endpoints', 'withApprovals');
  return ['withApprovals(dispatcher, ', ')'];
}

/** Most services have none of some of them. */
const namedParts = (
  model: Registered,
  commands: ReadonlyMap<string, CommandModel>,
  imports: Imports,
): readonly string[] => [
  optional(
    'deciders',
    model.deciders.map((decider) => deciderLine(decider, commands, imports)),
  ),
  optional(
    'effects',
    model.effects.map((effect) => effectLine(effect, commands, imports)),
  ),
  optional(
    'routes',
    model.routes.map((route) => routeLine(route, model, imports)),
  ),
  optional(
    'webhooks',
    model.webhooks.map(({ name, file }) => named(name, file, imports)),
  ),
  ...(['reactions', 'processes', 'schedules'] as const).map((part) =>
    optional(
      part,
      model[part].map((one) => construct(one, imports)),
    ),
  ),
];

const isForAgents = ({ commands, perspectives }: Registered): boolean =>
  commands.some(({ agent }) => agent !== undefined) ||
  perspectives.some(({ query }) => query?.agent !== undefined);

const dispatcherIsUsed = (model: Registered): boolean => model.commands.some(hasEndpoint);

const list = (name: string, lines: readonly string[]): string =>
  lines.length === 0
    ? `    ${name}: [],\n`
    : `    ${name}: [\n${lines.map((line) => `      ${line},\n`).join('')}    ],\n`;

const optional = (name: string, lines: readonly string[]): string =>
  lines.length === 0 ? '' : list(name, lines);

function endpointLine(command: CommandModel, imports: Imports): string {
  imports.value('svc-runtime/endpoints', 'endpoint');
  const type = named(command.name, command.file, imports);
  const codec = command.request?.name ?? command.name;
  imports.value('./codecs.js', `decode${codec}`);
  const generated: ConstructedModel = {
    name: `${command.name}Endpoint`,
    file: endpointFile(command),
    parameters: ['dispatcher'],
  };
  const made = construct(command.endpoint ?? generated, imports);
  const encode =
    command.result === null
      ? ''
      : `, encode: encode${command.resultName}, resultName: ${quoted(command.resultName)}`;
  if (command.result !== null) imports.value('./codecs.js', `encode${command.resultName}`);
  return `endpoint({ command: ${type}, endpoint: ${made}, decode: decode${codec}${encode} })`;
}

function receptorLine(
  receptor: ReceptorModel,
  commands: ReadonlyMap<string, CommandModel>,
  model: Registered,
  imports: Imports,
): string {
  const command = commands.get(receptor.command);
  if (command === undefined) return '';
  imports.value('svc-runtime/endpoints', 'receptor');
  const type = named(command.name, command.file, imports);
  const result = command.result === null ? '' : `, ${quoted(command.resultName)}`;
  return `receptor<${type}, ${resultText(command, model, imports)}>(${type}, ${construct(receptor, imports)}${result})`;
}

function effectLine(
  effect: ReceptorModel,
  commands: ReadonlyMap<string, CommandModel>,
  imports: Imports,
): string {
  const command = commands.get(effect.command);
  if (command === undefined) return '';
  const type = named(command.name, command.file, imports);
  imports.value('./codecs.js', `decode${command.name}`);
  return `{ command: ${type}, effect: ${construct(effect, imports)}, decode: decode${command.name} }`;
}

/** With the names of results, for those commands that have one. */
function deciderLine(
  decider: DeciderModel,
  commands: ReadonlyMap<string, CommandModel>,
  imports: Imports,
): string {
  const results = Object.entries(decider.commands).flatMap(([key, name]) => {
    const command = commands.get(name);
    return command === undefined || command.result === null ? [] : [`${key}: ${quoted(command.resultName)}`];
  });
  const names = results.length === 0 ? '' : `, results: { ${results.join(', ')} }`;
  return `{ decider: ${construct(decider, imports)}${names} }`;
}

function redactionLine(name: string, model: Registered, imports: Imports): string {
  const message = [...model.commands, ...model.events].find((candidate) => candidate.name === name);
  if (message === undefined) return '';
  imports.value('svc-runtime/endpoints', 'redaction');
  imports.value('./codecs.js', `redact${name}`);
  return `redaction(${named(message.name, message.file, imports)}, redact${name})`;
}

/** Under a name of its own: the constant may be called as something here is. */
function routeLine(route: OwnRouteModel, { types }: Registered, imports: Imports): string {
  const { name, file, request, result, resultName } = route;
  imports.value('svc-runtime/endpoints', 'registeredRoute');
  imports.value(imports.to(file), `${name} as ${name}Route`);
  const codecs = [
    ...(request === null ? [] : [`decode: decode${request}`]),
    ...(result === null ? [] : [`encode: encode${resultName}`]),
  ];
  imports.value('./codecs.js', ...codecs.map((codec) => codec.slice(codec.indexOf(' ') + 1)));
  const literals = fieldsOf(route, types)
    .filter((field) => placeOf(route, field.name) !== 'body' && isLiteral(field.type))
    .map((field) => quoted(field.name));
  const parsed = literals.length === 0 ? [] : [`literals: [${literals.join(', ')}]`];
  return `registeredRoute(${name}Route, { ${[...codecs, ...parsed].join(', ')} })`;
}

const isLiteral = ({ kind }: TypeModel): boolean => ['int', 'long', 'number', 'boolean'].includes(kind);

/** Its class is imported as one of the events. */
const sealedLine = ({ message, fields }: ReturnType<typeof sealedMessages>[number]): string =>
  `{ type: ${message}, fields: [${fields.map(sealedFieldText).join(', ')}] }`;

const sealedFieldText = ({ path, subject, subjectIn }: SealedField): string =>
  `{ path: [${path.map((step) => (step === null ? 'null' : quoted(step))).join(', ')}], subject: ${quoted(subject)}, subjectIn: ${quoted(subjectIn)} }`;

function named(name: string, file: string, imports: Imports): string {
  imports.value(imports.to(file), name);
  return name;
}

function construct({ name, file, parameters }: ConstructedModel, imports: Imports): string {
  const args = parameters.map((parameter) =>
    parameter === 'dispatcher' ? 'dispatcher' : `dependencies.${parameter}`,
  );
  return `new ${named(name, file, imports)}(${args.join(', ')})`;
}

function dependenciesText(dependencies: readonly DependencyModel[], imports: Imports): string {
  if (dependencies.length === 0) return 'export type Dependencies = Record<string, never>;\n';
  for (const { name, from } of dependencies.flatMap((dependency) => dependency.imports)) {
    imports.type('package' in from ? from.package : imports.to(from.file), name);
  }
  const lines = dependencies.map(({ name, type }) => `  readonly ${name}: ${type};\n`);
  return `export interface Dependencies {\n${lines.join('')}}\n`;
}
