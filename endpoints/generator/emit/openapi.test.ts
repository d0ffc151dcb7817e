import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { exampleModel } from '../testing/example-model.js';
import { emitOpenApi } from './openapi.js';
import { askOracle } from './testing/schema-oracle.js';
import { wideModel } from './testing/wide-model.js';

const test = suite('openapi');

interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly requestBody: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content; readonly headers?: object }>>;
}
type Content = Readonly<
  Record<string, { readonly schema: Record<string, unknown>; readonly example: unknown }>
>;
interface Document {
  readonly paths: Readonly<Record<string, { readonly post: Operation }>>;
  readonly components: {
    readonly schemas: Record<string, Record<string, unknown>>;
    readonly responses: object;
  };
}

const info = { title: 'Orders', version: '1.2.3' };
const documentOf = (model = exampleModel()) => JSON.parse(emitOpenApi(model, info)) as Document;

for (const [title, model] of [
  ['the example', exampleModel()],
  ['every type', wideModel()],
] as const) {
  test(`the document is valid OpenAPI 3.1: ${title}`, async () => {
    const { faults } = await askOracle({ definitions: {}, cases: [], document: documentOf(model) });
    assert.is(faults, null, JSON.stringify(faults));
  });

  test(`every example is valid under its schema: ${title}`, async () => {
    const { paths, components } = documentOf(model);
    const contents = Object.values(paths).flatMap(({ post }) => [
      post.requestBody.content,
      ...Object.values(post.responses).map(({ content }) => content ?? {}),
    ]);
    const cases = contents.flatMap((content) =>
      Object.values(content).map(({ schema, example }) => ({ schema, values: [example] })),
    );
    const { accepted } = await askOracle({ definitions: components.schemas, cases });
    assert.ok(cases.length > 0 && accepted.flat().every(Boolean));
  });
}

const withReads = () => {
  const row = { kind: 'ref', name: 'Address' } as const;
  const columns = ['city', 'state'].map((name) => ({ name, type: 'text' as const }));
  const query = { route: '/orders', row, columns };
  return { ...exampleModel(), perspectives: [{ name: 'Orders', file: 'orders', parameters: [], query }] };
};

test('a perspective with a route has a GET of pages, of one row and of their changes, in valid OpenAPI 3.1', async () => {
  const document = documentOf(withReads());
  const { faults } = await askOracle({ definitions: {}, cases: [], document });
  assert.is(faults, null, JSON.stringify(faults));
  const paths = ['/orders', '/orders/cancel', '/orders/live', '/orders/{id}', '/orders/{id}/live'];
  assert.equal(Object.keys(document.paths), paths);
  assert.equal(Object.keys(document.paths['/orders'] ?? {}).sort(), ['get', 'post']);
  const { get: watch } = document.paths['/orders/live'] as unknown as { get: { responses: object } };
  assert.ok(Object.keys(watch.responses).includes('406'), 'only a client that accepts a stream gets one');
});

test('the sort and filter columns are documented', () => {
  const text = JSON.stringify(documentOf(withReads()).paths['/orders']);
  assert.ok(text.includes('^-?(?:city|state)(?:,-?(?:city|state))*$') && text.includes('deepObject'));
});

test('the text is the same every time, and ends with a line break', () => {
  assert.is(emitOpenApi(wideModel(), info), emitOpenApi(wideModel(), info));
  assert.ok(emitOpenApi(exampleModel(), info).endsWith('}\n'));
});

test('each command with a route is one POST, in order', () => {
  const { paths } = documentOf();
  assert.equal(Object.keys(paths), ['/orders', '/orders/cancel']);
  assert.is(paths['/orders']?.post.operationId, 'createOrder');
  assert.equal(paths['/orders/cancel']?.post.tags, ['orders']);
  assert.equal(Object.keys(documentOf(wideModel()).paths), ['/trees', '/trees/list']);
});

test('a custom request is the body', () => {
  const body = documentOf().paths['/orders/cancel']?.post.requestBody;
  assert.equal(body?.content['application/json']?.schema, {
    $ref: '#/components/schemas/CancelOrderRequest',
  });
});

test('a command answers 200, one without a result 204', () => {
  const { paths } = documentOf();
  const statuses = (route: string) => Object.keys(paths[route]?.post.responses ?? {});
  const problems = [
    '400',
    '401',
    '403',
    '408',
    '409',
    '413',
    '415',
    '422',
    '429',
    '431',
    '500',
    '503',
    '504',
    'default',
  ];
  assert.equal(statuses('/orders'), ['200', ...problems]);
  assert.equal(statuses('/orders/cancel'), ['204', ...problems]);
});

test('every reference resolves', () => {
  const text = emitOpenApi(wideModel(), info);
  const document: unknown = JSON.parse(text);
  for (const [, path = ''] of text.matchAll(/"#\/([^"]+)"/g)) {
    const target = path.split('/').reduce((at, step) => (at as Record<string, unknown>)[step], document);
    assert.type(target, 'object', path);
  }
});

test('examples of problems are valid problems', async () => {
  const { components } = documentOf();
  const text = JSON.stringify(components.responses);
  const responses = Object.values(
    JSON.parse(text) as Record<
      string,
      { content: Record<string, { examples?: Record<string, { value: unknown }> }> }
    >,
  );
  const values = responses.flatMap(({ content }) =>
    Object.values(content).flatMap(({ examples = {} }) => Object.values(examples).map(({ value }) => value)),
  );
  const cases = [{ schema: { $ref: '#/components/schemas/ProblemDetails' }, values }];
  const { accepted } = await askOracle({ definitions: components.schemas, cases });
  assert.is(accepted[0]?.length, 28);
  assert.ok(accepted[0]?.every(Boolean));
});

test('a type named ProblemDetails is refused because the name is reserved', () => {
  const model = exampleModel();
  const name = 'ProblemDetails';
  const types = new Map([...model.types.values()].map((type) => [name, { ...type, name }]));
  const [, command] = model.commands;
  const commands = command === undefined ? [] : [{ ...command, name, result: null }];
  assert.throws(() => emitOpenApi({ ...model, types, commands }, info), /ProblemDetails is reserved/);
});
