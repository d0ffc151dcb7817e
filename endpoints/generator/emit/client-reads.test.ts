import * as assert from 'uvu/assert';
import { suite } from '../../../contracts/testing/suite.js';
import { readingBy as reading } from '../testing/client-of-example.js';
import { exampleModel } from '../testing/example-model.js';
import { emitClient } from './client.js';

const test = suite('reads of the client');

const pageOf = (data: readonly unknown[], nextCursor?: string) => Response.json({ data, nextCursor });

test('a list is a GET with its filters, sort and page in the URL', async () => {
  const { rows, sent } = await reading(() => pageOf([1]));
  const query = {
    filter: {
      zipCode: { in: ['a,b', 'c'], contains: '&' },
      owner: undefined,
      spent: { gte: '1.50', lt: undefined },
      isActive: false,
    },
    sort: ['-spent', 'zipCode'],
    page: 2,
    pageSize: 5,
    count: 'exact',
  };
  assert.equal((await rows.list(query)).data, [1]);
  const [{ url, init } = {}] = sent;
  assert.is(url?.pathname, '/api/shop/addresses');
  assert.equal(
    [...(url?.searchParams ?? [])],
    [
      ['filter[zipCode]', 'a,b'],
      ['filter[zipCode]', 'c'],
      ['filter[zipCode][contains]', '&'],
      ['filter[spent][gte]', '1.50'],
      ['filter[isActive]', 'false'],
      ['sort', '-spent,zipCode'],
      ['page', '2'],
      ['pageSize', '5'],
      ['count', 'exact'],
    ],
  );
  const headers = new Headers(init?.headers);
  assert.equal([init?.method, init?.body, headers.get('content-type')], ['GET', undefined, null]);
  assert.is(headers.get('authorization'), 'Bearer abc');
});

test('a list without values matches nothing, and needs no request', async () => {
  const { rows, sent } = await reading(() => pageOf([1]));
  assert.equal((await rows.list({ filter: { zipCode: { in: [] } } })).data, []);
  assert.equal(sent, []);
});

test('one row is read by its id, whatever is in it', async () => {
  const { rows, sent } = await reading(() => Response.json({ street: 'High Street' }));
  assert.equal(await rows.get('a/b?c'), { street: 'High Street' });
  assert.is(sent[0]?.url.href, 'http://127.0.0.1:3000/api/shop/addresses/a%2Fb%3Fc');
});

test('an id that would lead to another route is not found, and not sent', async () => {
  const { rows, sent } = await reading(() => Response.json({ street: 'High Street' }));
  for (const id of ['', '.', '..']) {
    const error: unknown = await rows.get(id).catch((caught: unknown) => caught);
    assert.is((error as { code?: string }).code, 'not-found', id);
  }
  assert.equal(sent, []);
  await rows.get('...');
  assert.is(sent[0]?.url.pathname, '/api/shop/addresses/...');
});

test('a row that is missing is a problem, as for commands', async () => {
  const problem = { type: 'urn:svc:problem:not-found', title: 'Not found', status: 404 };
  const { rows } = await reading(() => Response.json(problem, { status: 404 }));
  const error: unknown = await rows.get('a').catch((caught: unknown) => caught);
  assert.equal([(error as { code: string }).code, (error as { status: number }).status], ['not-found', 404]);
});

test('all rows are read page by page, by cursor, and only as far as they are needed', async () => {
  const pages: Readonly<Record<string, Response>> = {
    first: pageOf([1, 2], 'c1'),
    c1: pageOf([3], 'c2'),
    c2: pageOf([4]),
  };
  const { rows, sent } = await reading(
    (url) => pages[url.searchParams.get('cursor') ?? 'first']?.clone() ?? pageOf([]),
  );
  const found: unknown[] = [];
  for await (const row of rows.all({ sort: ['spent'] })) found.push(row);
  assert.equal(found, [1, 2, 3, 4]);
  assert.is(sent[2]?.url.search, '?sort=spent&pageSize=100&cursor=c2');
  for await (const row of rows.all()) if (row === 2) break;
  assert.is(sent.length, 4);
});

test('an aborted iteration ends with the reason', async () => {
  const stop = new AbortController();
  const { rows } = await reading(() => pageOf([1], 'c1'));
  const found: unknown[] = [];
  const iterate = async () => {
    for await (const row of rows.all({}, { signal: stop.signal })) {
      found.push(row);
      if (found.length === 3) stop.abort(new TypeError('enough'));
    }
  };
  assert.match(String(await iterate().catch((error: unknown) => error)), 'enough');
  assert.is(found.length, 3);
});

test('a client without perspectives has no code for reads', () => {
  assert.not.match(emitClient(exampleModel()), /Rows/);
});
