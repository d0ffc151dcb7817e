import type { SealedField } from '../../../contracts/sealing.js';
import { propertiesOf } from './properties.js';
import { namesIn, typesHolding } from './reachable-types.js';
import type { Exported, NamedType, NamedTypes, PropertyModel, TypeModel } from './service-model.js';

interface SealedFields {
  readonly fields: readonly SealedField[];
  /** What is wrong with the marks, as clauses of a sentence. */
  readonly faults: readonly string[];
}

interface Sealed {
  readonly message: string;
  readonly fields: readonly SealedField[];
}

/** Those of the messages that have fields with a subject. */
export function sealedMessages(
  messages: readonly Exported[],
  types: ReadonlyMap<string, NamedType>,
): readonly Sealed[] {
  const subjects = typesWithSubjects(types);
  if (subjects.size === 0) return [];
  return messages.flatMap(({ name: message }) => {
    const { fields } = sealedFieldsOf(message, types, subjects);
    return fields.length === 0 ? [] : [{ message, fields }];
  });
}

/** Names of the types that have a field with a subject, at any depth. */
export const typesWithSubjects = (types: ReadonlyMap<string, NamedType>): ReadonlySet<string> =>
  typesHolding(types, ({ subject }) => subject !== undefined);

/** The fields of an event or a command that have a subject. */
export function sealedFieldsOf(
  message: string,
  types: NamedTypes,
  subjects: ReadonlySet<string>,
): SealedFields {
  const fields: SealedField[] = [];
  const faults: string[] = [];
  const root = propertiesOf(types, message);
  const visit = (name: string, path: SealedField['path'], trail: readonly string[]): void => {
    if (!subjects.has(name)) return;
    if (types.get(name)?.type.kind === 'union')
      return void faults.push(`${shown(message, path)} has a subject in a variant of a union`);
    if (trail.includes(name))
      return void faults.push(`${shown(message, path)} has a subject in ${name}, which contains itself`);
    const properties = propertiesOf(types, name);
    for (const property of properties) {
      const at = [...path, property.name];
      if (property.subject === undefined) {
        const [next] = namesIn(property.type);
        if (next !== undefined) visit(next, [...at, ...itemsIn(property.type)], [...trail, name]);
        continue;
      }
      const fault = faultOf(property.subject, properties, root, [name, message]);
      if (fault !== undefined) faults.push(`the subject of ${shown(message, at)} ${fault}`);
      const subjectIn = properties.some((one) => one.name === property.subject) ? 'object' : 'event';
      fields.push({ path: at, subject: property.subject, subjectIn });
    }
  };
  visit(message, [], []);
  return { fields, faults };
}

function faultOf(
  subject: string,
  beside: readonly PropertyModel[],
  root: readonly PropertyModel[],
  owners: readonly string[],
): string | undefined {
  const isNamed = ({ name }: PropertyModel): boolean => name === subject;
  const field = beside.find(isNamed) ?? root.find(isNamed);
  if (field === undefined)
    return `is '${subject}', which is no field of ${[...new Set(owners)].join(' or ')}`;
  if (field.subject !== undefined) return `is '${subject}', which has a subject itself`;
  if (field.required && (field.type.kind === 'text' || field.type.kind === 'uuid')) return undefined;
  return `is '${subject}', which must be a required field of type string or Uuid`;
}

/** One null for every array or map around the type. */
function itemsIn(type: TypeModel): readonly null[] {
  if (type.kind === 'array') return [null, ...itemsIn(type.item)];
  if (type.kind === 'map') return [null, ...itemsIn(type.value)];
  return type.kind === 'nullable' ? itemsIn(type.inner) : [];
}

const shown = (message: string, path: SealedField['path']): string =>
  [message, ...path.map((step) => step ?? '[]')].join('.');
