import type { CommandModel, NamedType, ServiceModel, WithTypes } from '../model/service-model.js';
import { endpointFile } from '../model/generated-paths.js';
import { propertiesOf } from '../model/properties.js';
import { banner, Imports } from './imports.js';
import { scalarsIn, typeText } from '../model/type-text.js';

/**
 * `<CommandName>Endpoint`: concrete, or abstract with an abstract mapper when the command has its own request type.
 */
export function emitEndpoint(command: CommandModel, model: WithTypes): string {
  const { name, request, restRoute } = command;
  const imports = new Imports(endpointFile(command));
  const base = restRoute === null ? 'MutationEndpointBase' : 'RestMutationEndpointBase';
  imports.type('svc-runtime/contracts', 'Dispatcher', 'MutationContext');
  imports.value('svc-runtime/endpoints', base);
  imports.type(imports.to(command.file), name);
  if (request !== null) imports.type(imports.to(request.file), request.name);
  const result = resultText(command, model, imports);
  const types = [name, result, ...(request === null ? [] : [request.name])].join(', ');
  return `${banner}${imports.text}
/** ${reachedBy(command)} */
export ${request === null ? '' : 'abstract '}class ${name}Endpoint extends ${base}<${types}> {
  constructor(protected readonly dispatcher: Dispatcher) {
    super();
  }
${request === null ? '' : mapper(name, request.name)}
  protected override dispatchCommand(command: ${name}, signal: AbortSignal, context: MutationContext): Promise<${result}> {
    return this.dispatcher.localInvoke<${result}>(command, signal, context);
  }
}
`;
}

const mapper = (command: string, request: string): string => `
  protected abstract override mapRequestToCommand(
    request: ${request},
    context: MutationContext,
    signal: AbortSignal,
  ): ${command} | Promise<${command}>;
`;

const reachedBy = ({ restRoute, graphQLMutation }: CommandModel): string =>
  [
    restRoute === null ? undefined : `POST ${restRoute}`,
    graphQLMutation === null ? undefined : `mutation ${graphQLMutation}`,
  ]
    .filter((way) => way !== undefined)
    .join(' · ');

/** The result's own name if it can be imported, otherwise its members. */
export function resultText({ result }: CommandModel, model: WithTypes, imports: Imports): string {
  if (result === null) return 'void';
  const nameOf = (named: NamedType): string | undefined => {
    if (named.declared !== undefined) imports.type(imports.to(named.declared.file), named.declared.name);
    return named.declared?.name;
  };
  const text = typeText(result, model.types, { scalars: 'flavored', nameOf });
  imports.type('svc-runtime/contracts', ...scalarsIn(text));
  return text;
}

/**
 * The class that a user completes: written once, into the user's own folder. The compiler asks for what is missing.
 */
export function emitStub(command: CommandModel, model: ServiceModel): string {
  const { name, request, file } = command;
  const own = file.split('/').at(-1) ?? file;
  const generated = endpointFile(command).split('/').at(-1) ?? '';
  const imports = request === null ? '' : `import { ${name}, type ${request.name} } from './${own}.js';\n`;
  return `${imports}import { ${name}Endpoint as Generated } from './generated/${generated}.js';

export class ${name}Endpoint extends Generated {
${request === null ? '  // Override onBeforeExecute, onAfterExecute or onError here.\n' : mapping(name, request.name, model)}}
`;
}

function mapping(command: string, request: string, model: ServiceModel): string {
  const given = propertiesOf(model.types, request).map(({ name }) => name);
  const same = propertiesOf(model.types, command).filter(({ name }) => given.includes(name));
  const names = same.map(({ name }) => name).join(', ');
  return `  protected override mapRequestToCommand({ ${names} }: ${request}): ${command} {
    return ${command}.of({ ${names} });
  }
`;
}
