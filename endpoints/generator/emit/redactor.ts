import type { NamedType, ObjectType, ServiceModel, TypeModel, UnionType } from '../model/service-model.js';
import type { Scope } from './codec-scope.js';
import { namesIn, typesHolding } from '../model/reachable-types.js';
import { key, quoted } from './source-text.js';

/** Names of the commands and events with a `redactX`. */
export function redactedTypes(
  model: ServiceModel,
  sensitive: ReadonlySet<string> = sensitiveTypes(model),
): readonly string[] {
  const names = [...model.commands, ...model.events].map(({ name }) => name);
  return names.filter((name) => sensitive.has(name)).sort();
}

/** Names of the types with something sensitive, at any depth. */
export const sensitiveTypes = ({ types }: ServiceModel): ReadonlySet<string> =>
  typesHolding(types, ({ sensitive }) => sensitive);

/** `redactX`: a copy of X without sensitive values; only for types that have some. */
export function redactorOf(
  scope: Scope,
  { name, type }: NamedType,
  sensitive: ReadonlySet<string>,
  exported: boolean,
): string[] {
  const body =
    type.kind === 'union'
      ? unionText(scope, type, sensitive)
      : objectText(scope, type as ObjectType, sensitive);
  const head = `function redact${name}(value: unknown): unknown {`;
  return [exported ? `export ${head}` : head, `  return ${body};`, '}'];
}

function unionText(
  scope: Scope,
  { discriminator, variants }: UnionType,
  sensitive: ReadonlySet<string>,
): string {
  const entries = variants.map(
    ({ value, name }) =>
      `[${quoted(value)}, ${sensitive.has(name) ? `redact${name}` : scope.helper('show')}]`,
  );
  const known = scope.constant('variants', `new Map<unknown, codec.Redact>([${entries.join(', ')}])`);
  return `${scope.helper('redactVariant')}(value, ${quoted(discriminator)}, ${known})`;
}

function objectText(scope: Scope, { properties }: ObjectType, sensitive: ReadonlySet<string>): string {
  const entries = properties.flatMap((property) => {
    if (property.sensitive) return [`${key(property.name)}: ${scope.helper('hide')}`];
    return isSensitive(property.type, sensitive)
      ? [`${key(property.name)}: ${redactor(scope, property.type)}`]
      : [];
  });
  return `${scope.helper('redactObject')}(value, ${scope.constant('secrets', `{ ${entries.join(', ')} }`)})`;
}

const isSensitive = (type: TypeModel, sensitive: ReadonlySet<string>): boolean =>
  namesIn(type).some((name) => sensitive.has(name));

/** A function that redacts a value with sensitive parts; each passes null through. */
function redactor(scope: Scope, type: TypeModel): string {
  switch (type.kind) {
    case 'nullable':
      return redactor(scope, type.inner);
    case 'array':
      return hoisted(scope, 'redactArray', type.item);
    case 'map':
      return hoisted(scope, 'redactMap', type.value);
    default:
      return `redact${namesIn(type).join('')}`;
  }
}

function hoisted(scope: Scope, helper: string, inner: TypeModel): string {
  const call = `${scope.helper(helper)}(value, ${redactor(scope, inner)})`;
  return scope.constant('redact', `(value: unknown) => ${call}`);
}
