import type { SealedField } from '../../../contracts/sealing.js';
import {
  type CommandModel,
  type ConstructedModel,
  type DeciderModel,
  type DependencyModel,
  type Exported,
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
import { bodyName } from '../model/reachable-types.js';
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
    list('endpoints', model.commands.filter(hasEndpoint), (command) => endpointLine(command, imports)),
    list('receptors', model.receptors, (receptor) => receptorLine(receptor, commands, model, imports)),
    list('perspectives', model.perspectives, (perspective) => construct(perspective, imports)),
    ...namedParts(model, commands, imports),
    list('events', model.events, (event) => named(event, imports)),
    list('redactions', redacted, (name) => redactionLine(name, model, imports)),
    optional('sealed', sealed, sealedLine),
    list('flags', model.flags, quoted),
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
${model.commands.some(hasEndpoint) ? '' : '  void dispatcher;\n'}  return ${opening}{
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
  optional('deciders', model.deciders, (decider) => deciderLine(decider, commands, imports)),
  optional('effects', model.effects, (effect) => effectLine(effect, commands, imports)),
  optional('routes', model.routes, (route) => routeLine(route, model, imports)),
  optional('webhooks', model.webhooks, (webhooks) => named(webhooks, imports)),
  ...(['reactions', 'processes', 'schedules'] as const).map((part) =>
    optional(part, model[part], (one) => construct(one, imports)),
  ),
];

const isForAgents = ({ commands, perspectives }: Registered): boolean =>
  commands.some(({ agent }) => agent !== undefined) ||
  perspectives.some(({ query }) => query?.agent !== undefined);

const list = <T>(name: string, parts: readonly T[], lineOf: (part: T) => string): string =>
  parts.length === 0
    ? `    ${name}: [],\n`
    : `    ${name}: [\n${parts.map((part) => `      ${lineOf(part)},\n`).join('')}    ],\n`;

const optional = <T>(name: string, parts: readonly T[], lineOf: (part: T) => string): string =>
  parts.length === 0 ? '' : list(name, parts, lineOf);

function endpointLine(command: CommandModel, imports: Imports): string {
  imports.value('svc-runtime/endpoints', 'endpoint');
  const type = named(command, imports);
  const decode = codec(`decode${bodyName(command)}`, imports);
  const name = `${command.name}Endpoint`;
  const generated = { name, file: endpointFile(command), parameters: ['dispatcher'] };
  const made = construct(command.endpoint ?? generated, imports);
  const { result, resultName } = command;
  const encode =
    result === null
      ? ''
      : `, encode: ${codec(`encode${resultName}`, imports)}, resultName: ${quoted(resultName)}`;
  return `endpoint({ command: ${type}, endpoint: ${made}, decode: ${decode}${encode} })`;
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
  const type = named(command, imports);
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
  const decode = codec(`decode${command.name}`, imports);
  return `{ command: ${named(command, imports)}, effect: ${construct(effect, imports)}, decode: ${decode} }`;
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
  return `redaction(${named(message, imports)}, ${codec(`redact${name}`, imports)})`;
}

/** Under a name of its own: the constant may be called as something here is. */
function routeLine(route: OwnRouteModel, { types }: Registered, imports: Imports): string {
  const { name, file, request, result, resultName } = route;
  imports.value('svc-runtime/endpoints', 'registeredRoute');
  imports.value(imports.to(file), `${name} as ${name}Route`);
  const codecs = [
    ...(request === null ? [] : [`decode: ${codec(`decode${request}`, imports)}`]),
    ...(result === null ? [] : [`encode: ${codec(`encode${resultName}`, imports)}`]),
  ];
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

function named({ name, file }: Exported, imports: Imports): string {
  imports.value(imports.to(file), name);
  return name;
}

function codec(name: string, imports: Imports): string {
  imports.value('./codecs.js', name);
  return name;
}

function construct(made: ConstructedModel, imports: Imports): string {
  const args = made.parameters.map((parameter) =>
    parameter === 'dispatcher' ? 'dispatcher' : `dependencies.${parameter}`,
  );
  return `new ${named(made, imports)}(${args.join(', ')})`;
}

function dependenciesText(dependencies: readonly DependencyModel[], imports: Imports): string {
  if (dependencies.length === 0) return 'export type Dependencies = Record<string, never>;\n';
  for (const { name, from } of dependencies.flatMap((dependency) => dependency.imports)) {
    imports.type('package' in from ? from.package : imports.to(from.file), name);
  }
  const lines = dependencies.map(({ name, type }) => `  readonly ${name}: ${type};\n`);
  return `export interface Dependencies {\n${lines.join('')}}\n`;
}
