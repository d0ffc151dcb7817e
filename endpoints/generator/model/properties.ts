import type { NamedTypes, PropertyModel, TypeModel } from './service-model.js';

/** The properties of a named type; none of a type that is no object. */
export function propertiesOf(types: NamedTypes, name: string): readonly PropertyModel[] {
  const type = types.get(name)?.type;
  return type?.kind === 'object' ? type.properties : [];
}

/** A property that no source declares. */
export const property = (
  name: string,
  type: TypeModel,
  description?: string,
  required = true,
): PropertyModel => ({ name, type, required, description, default: undefined, sensitive: false });
