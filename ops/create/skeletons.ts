import { kebab } from '../../endpoints/generator/model/generated-paths.js';

/** A field of a command or an event. */
export interface Field {
  readonly name: string;
  readonly type: string;
  readonly optional?: boolean;
}

/** An event, and the module that exports it. */
export interface ImportedEvent {
  readonly name: string;
  readonly from: string;
}

export const eventSkeleton = (name: string, fields: readonly Field[]): string =>
  `${importing(['Event', ...scalarsOf(fields)])}
export class ${name} extends Event {
${members(fields, '!')}}
`;

/** A command with the receptor that handles it. One that names no id creates something with a new id. */
export function commandSkeleton(name: string, fields: readonly Field[], resource: string): string {
  const given = fields.find(({ type, optional = false }) => type === 'Uuid' && !optional);
  const { name: id } = given ?? defaultField;
  const streamId = given === undefined ? 'id' : `command.${id}`;
  const names = ['Command', 'CommandEndpoint', ...(given === undefined ? ['newUuid'] : []), 'Permission'];
  const types = ['type Receptor', 'type UnitOfWork', ...scalarsOf([...fields, defaultField])];
  const mutation = `${name.charAt(0).toLowerCase()}${name.slice(1)}`;
  return `${importing([...names, ...types])}
export interface ${name}Result {
  ${id}: Uuid;
}

@CommandEndpoint<${name}, ${name}Result>({
  restRoute: '/${kebab(name)}',
  graphQLMutation: '${mutation}',
  permission: Permission.write('${resource}'),
})
export class ${name} extends Command {
${members(fields, '!')}}

export class ${name}Receptor implements Receptor<${name}, ${name}Result> {
  handle(command: ${name}, work: UnitOfWork): ${name}Result {
${
  given === undefined
    ? `    const id = newUuid();
`
    : ''
}    // Append what happened: work.append(${streamId}, SomethingHappened.of({ … }));
    return { ${given === undefined ? 'id' : `${id}: command.${id}`} };
  }
}
`;
}

/** A perspective with a row for each stream. */
export function perspectiveSkeleton(name: string, events: readonly ImportedEvent[]): string {
  const short = kebab(name.replace(/(?<=.)Perspective$/, ''));
  return `import { Permission, type Perspective, type StoredEvent, type Timestamp, type Uuid } from 'svc-runtime';
${events.map((event) => `import { ${event.name} } from '${event.from}';\n`).join('')}
export interface ${name}Row {
  id: Uuid;
  updatedAt: Timestamp;
}

/** \`GET /${short}\` and \`GET /${short}/{id}\`. */
export class ${name} implements Perspective<${name}Row> {
  readonly name = '${short}';
  readonly route = '/${short}';
  readonly permission = Permission.read('${short}');
  readonly events = [${events.map((event) => event.name).join(', ')}];

  apply(_: ${name}Row | undefined, { streamId, occurredAt }: StoredEvent): ${name}Row {
    return { id: streamId, updatedAt: occurredAt };
  }
}
`;
}

export const defaultField: Field = { name: 'id', type: 'Uuid' };

export const scalars = ['Decimal', 'Duration', 'Int', 'Json', 'Long', 'Timestamp', 'Uuid'];

/** What a class cannot be named: its file, or code that is generated from it, needs the name itself. */
export const isNeeded = (name: string): boolean =>
  [
    ...scalars,
    'Command',
    'CommandEndpoint',
    'Decider',
    'Effect',
    'EffectCall',
    'Event',
    'Permission',
    'Perspective',
    'Process',
    'Reaction',
    'Receptor',
    'StoredEvent',
    'UnitOfWork',
  ].includes(name) || Object.hasOwn(globalThis, name);

export const scalarsOf = (fields: readonly Field[]): readonly string[] =>
  scalars.filter((scalar) => fields.some(({ type }) => type === scalar)).map((scalar) => `type ${scalar}`);

const importing = (names: readonly string[]): string =>
  `import { ${names.join(', ')} } from 'svc-runtime';\n`;

export const members = (fields: readonly Field[], mark: string): string =>
  fields.map(({ name, type, optional = false }) => `  ${name}${optional ? '?' : mark}: ${type};\n`).join('');
