import { namedType, namesIn, reachableTypes } from '../model/reachable-types.js';
import { propertiesOf } from '../model/properties.js';
import type { ColumnModel, QueryModel, ServiceModel } from '../model/service-model.js';

/**
 * The columns that agents may filter and sort by: both show their values, and a cursor holds those of the order. What an
 * answer hides is none of them, nor is a column that may be made of it, unless `fields` names that one.
 */
export function shownColumns(
  model: ServiceModel,
  { row, columns, agent: { fields } = {} }: QueryModel,
): readonly ColumnModel[] {
  const own = new Set(namesIn(row).flatMap((name) => variantsOf(model, name)));
  const properties = [...own].flatMap((name) => propertiesOf(model.types, name));
  const hidesAny = hides(model, namesIn(row));
  return columns.filter(({ name }) => {
    if (fields !== undefined && !fields.includes(name)) return false;
    const named = properties.filter((property) => property.name === name);
    if (named.length === 0) return fields !== undefined || !hidesAny;
    return !named.some(({ sensitive, type }) => sensitive || hides(model, namesIn(type)));
  });
}

/** Whether anything that these types reach is sensitive. */
const hides = (model: ServiceModel, names: readonly string[]): boolean =>
  reachableTypes(model, names).some((name) =>
    propertiesOf(model.types, name).some(({ sensitive }) => sensitive),
  );

function variantsOf(model: ServiceModel, name: string): readonly string[] {
  const { type } = namedType(model, name);
  return type.kind === 'union' ? type.variants.map((variant) => variant.name) : [name];
}
