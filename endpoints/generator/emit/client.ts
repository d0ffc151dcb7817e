import {
  type CommandModel,
  hasEndpoint,
  type NamedType,
  type ServiceModel,
  type TypeModel,
  type WithTypes,
} from '../model/model.js';
import { clientMethod, clientSupport } from './client-support.js';
import { banner } from './imports.js';
import { Memo } from '../model/memo.js';
import { typesAsked } from '../model/reach.js';
import { selectionOf } from './selection.js';
import { namedText, type TypeNames, typeText } from '../model/type-text.js';

const names: TypeNames = { scalars: 'plain', nameOf: ({ name }) => name };

/** A client that needs nothing but `fetch`: its types are written out, so that it can be copied anywhere. */
export function emitClient(model: ServiceModel, memo: Memo = new Memo()): string {
  const reached = typesOf(model);
  const types = [...model.types.values()]
    .filter(({ name }) => reached.has(name))
    .map((type) =>
      memo.of('client type', type, [], model.types, (ask) => declaration(type, { types: typesAsked(ask) })),
    );
  const methods = model.commands
    .filter(hasEndpoint)
    .map((command) =>
      memo.of('client method', command, [], model.types, (ask) =>
        method(command, { types: typesAsked(ask) }),
      ),
    );
  return `${banner}${types.join('')}${clientSupport}
export class Client {
  readonly #call: Call;

  constructor(options: ClientOptions) {
    this.#call = new Call(options);
  }
${methods.join('')}}
`;
}

function declaration(named: NamedType, model: WithTypes): string {
  const comment =
    named.description === undefined ? '' : `/** ${named.description.replaceAll('*/', '*\\/')} */\n`;
  return `${comment}export type ${named.name} = ${namedText(named, model.types, names)};\n`;
}

function method(command: CommandModel, model: WithTypes): string {
  const input = command.request?.name ?? command.name;
  const result = command.result === null ? 'void' : typeText(command.result, model.types, names);
  const name = clientMethod(command);
  const way =
    command.restRoute === null
      ? mutation(command, input, model)
      : `post<${result}>(${JSON.stringify(command.restRoute)}, ${argument(command)}, options)`;
  const description =
    command.description === undefined ? '' : `\n  /** ${command.description.replaceAll('*/', '*\\/')} */`;
  return `${description}
  ${name === 'constructor' ? `['constructor']` : name}(${argument(command)}: ${input}, options?: CallOptions): Promise<${result}> {
    return this.#call.${way};
  }
`;
}

const argument = (command: CommandModel): string => (command.request === null ? 'command' : 'request');

/** A command without a route is sent as the mutation it has. */
function mutation(command: CommandModel, input: string, model: WithTypes): string {
  const field = command.graphQLMutation ?? '';
  const name = argument(command);
  const selection = command.result === null ? '' : selectionOf(command.result, model.types);
  const query = `mutation($${name}: ${input}Input!) { ${field}(${name}: $${name})${selection} }`;
  const result = command.result === null ? 'void' : typeText(command.result, model.types, names);
  return `mutate<${result}>(${JSON.stringify(query)}, ${JSON.stringify(field)}, { ${name} }, options)`;
}

/** The types that requests and results reach; events stay at home. */
function typesOf({ commands, types }: ServiceModel): ReadonlySet<string> {
  const reached = new Set<string>();
  const reach = (name: string): void => {
    if (reached.has(name)) return;
    reached.add(name);
    const type = types.get(name)?.type;
    if (type?.kind === 'object') for (const property of type.properties) through(property.type);
    if (type?.kind === 'union') for (const variant of type.variants) reach(variant.name);
  };
  const through = (type: TypeModel): void => {
    if (type.kind === 'ref') reach(type.name);
    else if (type.kind === 'array') through(type.item);
    else if (type.kind === 'map') through(type.value);
    else if (type.kind === 'nullable') through(type.inner);
  };
  for (const command of commands.filter(hasEndpoint)) {
    reach(command.request?.name ?? command.name);
    if (command.result !== null) through(command.result);
  }
  return reached;
}
