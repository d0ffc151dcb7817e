import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import type { ServiceModel } from '../model/service-model.js';
import { exampleModel } from '../testing/example-model.js';
import { emitOpenApi } from './openapi.js';
import { askOracle } from './testing/schema-oracle.js';

const test = suite('openapi-security');

interface Operation {
  readonly security?: readonly object[];
  readonly 'x-permission'?: string;
  readonly responses: Readonly<Record<string, unknown>>;
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly securitySchemes?: Readonly<Record<string, object>> };
}

/** The example with these permissions of its two commands and of a read. */
function guardedModel(cancel?: string, create?: string, read?: string): ServiceModel {
  const model = exampleModel();
  const [cancelOrder, createOrder] = model.commands;
  if (cancelOrder === undefined || createOrder === undefined) return model;
  const query = {
    route: '/orders',
    row: { kind: 'ref', name: 'Address' } as const,
    columns: [],
    ...(read === undefined ? {} : { permission: read }),
  };
  return {
    ...model,
    commands: [
      { ...cancelOrder, permission: cancel },
      { ...createOrder, permission: create },
    ],
    perspectives: [{ name: 'Orders', file: 'orders', parameters: [], query }],
  };
}

const textOf = (model: ServiceModel): string => emitOpenApi(model, { title: 'Orders', version: '1.2.3' });
const documentOf = (...permissions: Parameters<typeof guardedModel>): Document =>
  JSON.parse(textOf(guardedModel(...permissions))) as Document;

const refusals = (operation: Operation | undefined): string =>
  ['401', '403', '429'].filter((status) => operation?.responses[status] !== undefined).join(' ');

test('a document with permissions is valid OpenAPI 3.1', async () => {
  const document = documentOf('orders:write', 'public', 'authenticated');
  const { faults } = await askOracle({ definitions: {}, cases: [], document });
  assert.is(faults, null, JSON.stringify(faults));
});

test('a guarded operation names its permission, and takes a bearer token or an API key', () => {
  const { paths, components } = documentOf('orders:write', 'authenticated', 'orders:read');
  const either = [{ bearer: [] }, { apiKey: [] }];
  const seen = (operation: Operation | undefined) => [operation?.['x-permission'], operation?.security];
  assert.equal(seen(paths['/orders/cancel']?.['post']), ['orders:write', either]);
  assert.equal(seen(paths['/orders']?.['post']), ['authenticated', either]);
  assert.equal(seen(paths['/orders']?.['get']), ['orders:read', either]);
  assert.equal(seen(paths['/orders/{id}']?.['get']), ['orders:read', either]);
  assert.equal(Object.keys(components.securitySchemes ?? {}), ['bearer', 'apiKey']);
});

test('401, 403 and 429 are documented only where they can happen', () => {
  const { paths } = documentOf('orders:write', 'authenticated', 'orders:read');
  assert.is(refusals(paths['/orders/cancel']?.['post']), '401 403 429');
  assert.is(refusals(paths['/orders']?.['post']), '401 429');
  assert.is(refusals(paths['/orders']?.['get']), '401 403 429');
  assert.is(refusals(paths['/orders/{id}']?.['get']), '401 403 429');
});

test('a public operation asks for no credentials', () => {
  const { paths, components } = documentOf('public', 'public', 'public');
  for (const operation of [paths['/orders']?.['post'], paths['/orders']?.['get']]) {
    assert.is(operation?.security, undefined);
    assert.is(operation?.['x-permission'], undefined);
    assert.is(refusals(operation), '401 429', 'wrong credentials are refused all the same');
  }
  assert.is(components.securitySchemes, undefined);
});

test('without a declared permission the document does not speak of credentials', () => {
  const text = textOf(guardedModel());
  assert.not.match(text, /securitySchemes|"security"|x-permission/);
  assert.is(refusals(documentOf().paths['/orders']?.['get']), '');
});
