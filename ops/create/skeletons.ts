import { kebab } from '../../endpoints/generator/model/paths.js';

/** A field of a command or an event. */
export interface Field {
  readonly name: string;
  readonly type: string;
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

/** A command with the receptor that handles it. */
export function commandSkeleton(name: string, fields: readonly Field[]): string {
  const key = fields.find(({ type }) => type === 'Uuid') ?? fields[0] ?? defaultField;
  const names = ['Command', 'CommandEndpoint', 'type Receptor', 'type UnitOfWork', ...scalarsOf(fields)];
  const mutation = `${name.charAt(0).toLowerCase()}${name.slice(1)}`;
  return `${importing(names)}
export interface ${name}Result {
${members([key], '')}}

@CommandEndpoint<${name}, ${name}Result>({ restRoute: '/${kebab(name)}', graphQLMutation: '${mutation}' })
export class ${name} extends Command {
${members(fields, '!')}}

export class ${name}Receptor implements Receptor<${name}, ${name}Result> {
  handle({ ${key.name} }: ${name}, _: AbortSignal, work: UnitOfWork): ${name}Result {
    // Append what happened: work.append(${key.name}, SomethingHappened.of({ ${key.name} }));
    return { ${key.name} };
  }
}
`;
}

/** A perspective with a row for each stream. */
export function perspectiveSkeleton(name: string, events: readonly ImportedEvent[]): string {
  const short = kebab(name.replace(/(?<=.)Perspective$/, ''));
  return `import type { Perspective, StoredEvent, Timestamp, Uuid } from 'svc-runtime';
${events.map((event) => `import { ${event.name} } from '${event.from}';\n`).join('')}
export interface ${name}Row {
  id: Uuid;
  updatedAt: Timestamp;
}

/** \`GET /${short}\` and \`GET /${short}/{id}\`. */
export class ${name} implements Perspective<${name}Row> {
  readonly name = '${short}';
  readonly route = '/${short}';
  readonly events = [${events.map((event) => event.name).join(', ')}];

  initial(): ${name}Row {
    return { id: '', updatedAt: '' };
  }

  apply(_: ${name}Row, { streamId, occurredAt }: StoredEvent): ${name}Row {
    return { id: streamId, updatedAt: occurredAt };
  }
}
`;
}

export const defaultField: Field = { name: 'id', type: 'Uuid' };

export const scalars = ['Decimal', 'Int', 'Long', 'Timestamp', 'Uuid'];

const scalarsOf = (fields: readonly Field[]): readonly string[] =>
  scalars.filter((scalar) => fields.some(({ type }) => type === scalar)).map((scalar) => `type ${scalar}`);

const importing = (names: readonly string[]): string =>
  `import { ${names.join(', ')} } from 'svc-runtime';\n`;

const members = (fields: readonly Field[], mark: string): string =>
  fields.map(({ name, type }) => `  ${name}${mark}: ${type};\n`).join('');
