import { transform } from 'esbuild';
import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import type { OwnRouteModel, ServiceModel } from '../model/service-model.js';
import { exampleModel } from '../testing/example-model.js';
import { emitClient } from './client.js';
import { emitOpenApi } from './openapi.js';
import { askOracle } from './testing/schema-oracle.js';

const test = suite('own routes of a service');

const route = (name: string, method: OwnRouteModel['method'], path: string): OwnRouteModel => ({
  name,
  method,
  path,
  file: 'routes',
  description: undefined,
  permission: 'orders:read',
  request: 'Address',
  result: { kind: 'ref', name: 'Address' },
  resultName: 'Address',
});

/** The request has a street and a zip code. */
const model: ServiceModel = {
  ...exampleModel(),
  routes: [
    route('findStreet', 'GET', '/streets/:zipCode'),
    route('nameStreet', 'PUT', '/streets/:zipCode'),
    route('addStreet', 'POST', '/streets'),
    { ...route('forget', 'DELETE', '/streets'), request: null, result: null },
  ],
};

interface Operation {
  readonly parameters: readonly { readonly name?: string; readonly in?: string }[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: object }>> };
  readonly responses: object;
}

test('a route is an operation with its parameters and its body in the OpenAPI document', async () => {
  const document = JSON.parse(emitOpenApi(model, { title: 'Streets', version: '1.0.0' })) as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  };
  const { faults } = await askOracle({ definitions: {}, cases: [], document });
  assert.is(faults, null, JSON.stringify(faults));
  const sent = Object.entries(document.paths)
    .filter(([path]) => path.startsWith('/streets'))
    .flatMap(([path, item]) =>
      Object.entries(item).map(([method, { parameters, requestBody, responses }]) => [
        `${method} ${path}`,
        ...parameters.flatMap(({ name, in: place }) => (name === undefined ? [] : [`${place}:${name}`])),
        JSON.stringify(requestBody?.content['application/json']?.schema ?? ''),
        Object.keys(responses)[0],
      ]),
    );
  const named = '{"type":"object","properties":{"street":{"type":"string"}},"required":["street"]}';
  assert.equal(sent, [
    ['post /streets', '{"$ref":"#/components/schemas/Address"}', '200'],
    ['delete /streets', '""', '204'],
    ['get /streets/{zipCode}', 'query:street', 'path:zipCode', '""', '200'],
    ['put /streets/{zipCode}', 'path:zipCode', named, '200'],
  ]);
});

type Streets = Record<string, (request?: unknown) => Promise<unknown>>;

test('the client sends each field where the route has it', async () => {
  const { code } = await transform(emitClient(model), { loader: 'ts', format: 'esm' });
  const module = (await import(`data:text/javascript,${encodeURIComponent(code)}`)) as {
    readonly Client: new (options: object) => Streets;
  };
  const sent: string[] = [];
  const client = new module.Client({
    baseUrl: 'http://127.0.0.1:3000/api',
    fetch: (url: string, { method, body = '' }: { readonly method: string; readonly body?: string }) => {
      sent.push(`${method} ${url.slice(25)} ${body}`.trim());
      return Promise.resolve(new Response(method === 'DELETE' ? null : '{"street":"Elm"}'));
    },
  });
  const address = { street: 'Elm & Oak', zipCode: 'a/1' };
  assert.equal(await client['findStreet']?.(address), { street: 'Elm' });
  await client['findStreet']?.({ zipCode: '1', street: undefined });
  await client['nameStreet']?.(address);
  await client['nameStreet']?.({ zipCode: '1' });
  await client['addStreet']?.(address);
  assert.is(await client['forget']?.(), undefined);
  assert.equal(sent, [
    'GET /streets/a%2F1?street=Elm+%26+Oak',
    'GET /streets/1',
    'PUT /streets/a%2F1 {"street":"Elm & Oak"}',
    'PUT /streets/1',
    'POST /streets {"street":"Elm & Oak","zipCode":"a/1"}',
    'DELETE /streets',
  ]);
});
