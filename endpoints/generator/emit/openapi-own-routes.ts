import type { OwnRouteModel, PropertyModel, ServiceModel, TypeModel } from '../model/service-model.js';
import { fieldsOf, placeOf } from '../model/own-route-fields.js';
import { exampleOf } from './example-value.js';
import { arriving, definitionOf, propertySchema, type Schema, schemaOf } from './json-schema.js';
import { jsonContent, success, tagOf, traceHeaders, wordsOf } from './openapi-operation.js';
import { problemResponses } from './openapi-problems.js';
import { impossibleRefusals, securityOf } from './openapi-security.js';

/** The operation of every route that `ownRoute` declares. */
export const ownPaths = (model: ServiceModel): (readonly [path: string, item: Schema])[] =>
  model.routes.map((route) => [
    route.path.replaceAll(/:(\w+)/g, '{$1}'),
    { [route.method.toLowerCase()]: operation(model, route) },
  ]);

function operation(model: ServiceModel, route: OwnRouteModel): Schema {
  const { name, path, description, permission, result } = route;
  const fields = fieldsOf(route, model.types);
  return {
    operationId: name,
    summary: wordsOf(name.charAt(0).toUpperCase() + name.slice(1)),
    ...(description === undefined ? {} : { description }),
    tags: [tagOf(path)],
    ...securityOf(permission),
    parameters: [
      ...fields.flatMap((field) => parameterOf(route, field)),
      ...['X-Correlation-Id', 'traceparent'].map((key) => ({ $ref: `#/components/parameters/${key}` })),
    ],
    ...bodyOf(model, route, fields),
    responses: {
      ...success(model, result, 'It was done.', 'The answer.', traceHeaders),
      ...problemResponses(impossibleRefusals(permission)),
    },
  };
}

function parameterOf(route: OwnRouteModel, field: PropertyModel): readonly Schema[] {
  const { name, required, description } = field;
  const place = placeOf(route, name);
  if (place === 'body') return [];
  const described = description === undefined ? {} : { description };
  const schema = propertySchema({ ...field, description: undefined }, arriving);
  return [{ name, in: place, ...described, required: required || place === 'path', schema }];
}

/** Without the fields in the path, when there are some. */
function bodyOf(model: ServiceModel, route: OwnRouteModel, fields: readonly PropertyModel[]): Schema {
  const inBody = fields.filter(({ name }) => placeOf(route, name) === 'body');
  const { request } = route;
  if (request === null || inBody.length === 0) return {};
  const required = inBody.some((field) => field.required);
  const type: TypeModel = { kind: 'ref', name: request };
  if (inBody.length === fields.length)
    return {
      requestBody: { required, content: jsonContent(schemaOf(type, arriving), exampleOf(model, type)) },
    };
  const named = model.types.get(request);
  const rest = named && { ...named, type: { kind: 'object' as const, properties: inBody } };
  const content = { 'application/json': { schema: rest && definitionOf(rest, arriving) } };
  return { requestBody: { required, content } };
}
