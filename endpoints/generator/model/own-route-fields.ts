import { propertiesOf } from './properties.js';
import type { NamedTypes, OwnRouteModel, PropertyModel } from './service-model.js';

type Address = Pick<OwnRouteModel, 'method' | 'path'>;

export const parametersIn = (path: string): readonly string[] =>
  [...path.matchAll(/:(\w+)/g)].map(([, name = '']) => name);

/** Where a field of the request is sent. */
export function placeOf({ method, path }: Address, field: string): 'path' | 'query' | 'body' {
  if (parametersIn(path).includes(field)) return 'path';
  return method === 'GET' || method === 'DELETE' ? 'query' : 'body';
}

/** The fields of a request. */
export const fieldsOf = ({ request }: OwnRouteModel, types: NamedTypes): readonly PropertyModel[] =>
  request === null ? [] : propertiesOf(types, request);
