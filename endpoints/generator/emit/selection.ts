import type { NamedTypes, TypeModel } from '../model/model.js';

const maxDepth = 6;

/** Every field of a result as a GraphQL selection; a recursive type is followed a few steps. */
export function selectionOf(type: TypeModel, types: NamedTypes, depth = 0): string {
  if (type.kind === 'nullable') return selectionOf(type.inner, types, depth);
  if (type.kind === 'array') return selectionOf(type.item, types, depth);
  if (type.kind !== 'ref') return '';
  const named = types.get(type.name)?.type;
  if (named?.kind === 'union') {
    const parts = named.variants.map(
      ({ name }) => `... on ${name}${selectionOf({ kind: 'ref', name }, types, depth)}`,
    );
    return ` { __typename ${parts.join(' ')} }`;
  }
  if (named?.kind !== 'object') return '';
  const fields = named.properties
    .filter((property) => depth < maxDepth || !isObject(property.type, types))
    .map((property) => property.name + selectionOf(property.type, types, depth + 1));
  return ` { ${fields.length === 0 ? '__typename' : fields.join(' ')} }`;
}

function isObject(type: TypeModel, types: NamedTypes): boolean {
  if (type.kind === 'nullable') return isObject(type.inner, types);
  if (type.kind === 'array') return isObject(type.item, types);
  return type.kind === 'ref' && types.get(type.name)?.type.kind !== 'enum';
}
