import type { NamedType, PropertyModel, ServiceModel, TypeModel } from '../../model/service-model.js';
import { specifier } from '../../model/generated-paths.js';
import { partsOf } from '../../model/reachable-types.js';
import { namedText, propertyName, type TypeNames, typeText } from '../../model/type-text.js';

const names: TypeNames = { scalars: 'plain', nameOf: (type) => type.declared?.name };

/** The sources that a model could have been read from, by file; every member is readonly. */
export function declarationsOf(model: ServiceModel): Map<string, string> {
  const files = new Map<string, NamedType[]>();
  for (const type of model.types.values())
    if (type.declared !== undefined)
      files.set(type.declared.file, [...(files.get(type.declared.file) ?? []), type]);
  return new Map([...files].map(([file, types]) => [file, sourceOf(model, file, types)]));
}

function sourceOf(model: ServiceModel, file: string, types: readonly NamedType[]): string {
  const used = new Set(types.flatMap((type) => namedIn(model, type)));
  const foreign = [...used].flatMap(({ declared }) =>
    declared === undefined || declared.file === file ? [] : [declared],
  );
  return [
    "import { Command } from 'svc-runtime/contracts';",
    ...foreign.map(({ name, file: from }) => `import type { ${name} } from '${specifier(file, from)}';`),
    ...types.map((type) => (type.isClass ? classOf(model, type) : declarationOf(model, type))),
    'export type { Command };\n',
  ].join('\n');
}

/** A type with its references by name; an anonymous type is written inline. */
const namedIn = (model: ServiceModel, type: NamedType): NamedType[] =>
  partsOf(type)
    .flatMap((name) => model.types.get(name) ?? [])
    .flatMap((part) => (part.declared === undefined ? namedIn(model, part) : [part]));

function classOf(model: ServiceModel, { declared, type }: NamedType): string {
  const members = type.kind === 'object' ? type.properties.map((each) => `  ${memberOf(model, each)}`) : [];
  return [`export class ${declared?.name} extends Command {`, ...members, '}'].join('\n');
}

function memberOf(model: ServiceModel, { name, type, required, default: initial }: PropertyModel): string {
  const key = `readonly ${propertyName(name)}`;
  const of = text(model, type);
  if (initial !== undefined) return `${key}: ${of} = ${JSON.stringify(initial.value)};`;
  return `${key}${required ? '!' : '?'}: ${of};`;
}

function declarationOf(model: ServiceModel, named: NamedType): string {
  const name = named.declared?.name ?? '';
  if (named.type.kind !== 'object') return `export type ${name} = ${namedText(named, model.types, names)};`;
  const members = named.type.properties.map(
    (property) =>
      `  readonly ${propertyName(property.name)}${property.required ? '' : '?'}: ${text(model, property.type)};`,
  );
  return [`export interface ${name} {`, ...members, '}'].join('\n');
}

const text = (model: ServiceModel, type: TypeModel): string => typeText(type, model.types, names);
