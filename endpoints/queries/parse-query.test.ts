import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import type { ColumnType } from '../../contracts/perspective.js';
import { Problem } from '../../contracts/problems.js';
import { suite } from '../../contracts/testing/suite.js';
import { textForms } from '../../runtime/perspectives/tables/column-text.js';
import type { QueryColumn } from './parse-filters.js';
import { parseQuery, queryIn, type ReadQuery } from './parse-query.js';

const test = suite('query');

const columns: readonly QueryColumn[] = [
  { name: 'status', type: 'text' },
  { name: 'customerId', type: 'uuid' },
  { name: 'total', type: 'numeric' },
  { name: 'items', type: 'integer' },
  { name: 'paid', type: 'boolean' },
  { name: 'placedAt', type: 'timestamptz' },
  { name: 'views', type: 'bigint' },
];

const faultsOf = (search: string): readonly (readonly [string, string])[] => {
  try {
    parseQuery(search, columns);
    return [];
  } catch (error) {
    assert.instance(error, Problem);
    assert.equal([(error as Problem).code, (error as Problem).status], ['invalid-query', 400]);
    return ((error as Problem).errors ?? []).map(({ path, message }) => [path, message] as const);
  }
};

const valuesIn = ({ filters }: ReadQuery) => filters.map(({ values }) => values);

test('an empty query means the first ten, unsorted and unfiltered', () => {
  assert.equal(parseQuery('', columns), {
    page: 1,
    pageSize: 10,
    sort: [],
    filters: [],
    count: 'bounded',
  });
});

test('page, size, sort and filters are read', () => {
  const search = 'page=3&pageSize=100&sort=-total,status&filter[status]=created&filter[paid]=true';
  assert.equal(parseQuery(search, columns), {
    page: 3,
    pageSize: 100,
    sort: [
      { name: 'total', descending: true },
      { name: 'status', descending: false },
    ],
    filters: [
      { name: 'status', operator: 'eq', values: ['created'] },
      { name: 'paid', operator: 'eq', values: ['true'] },
    ],
    count: 'bounded',
  });
});

test('a query is everything after the first question mark', () => {
  assert.equal(queryIn('/orders', columns).filters, []);
  assert.equal(valuesIn(queryIn('/orders?filter[status]=why?', columns)), [['why?']]);
});

test('several values for one column are kept', () => {
  const query = parseQuery('filter[status]=created&filter[status]=shipped', columns);
  assert.equal(valuesIn(query), [['created', 'shipped']]);
});

test('a percent-encoded parameter is decoded', () => {
  assert.equal(valuesIn(parseQuery('filter%5Bstatus%5D=a%20b', columns)), [['a b']]);
});

test('an undeclared column is refused with the declared names', () => {
  const [[path, message] = []] = faultsOf('filter[secret]=1');
  assert.is(path, '/filter/secret');
  assert.match(message ?? '', /use status, customerId, total/);
  assert.match(faultsOf('sort=secret')[0]?.[1] ?? '', /'secret'; use status/);
});

test('ranges, lists and parts of a text are filters of their own, and a row must match all of them', () => {
  const search =
    'filter[total][gte]=5&filter[total][lt]=9.5&filter[status][in]=a,b&filter[status][contains]=50%25,_&filter[status]=x,y';
  assert.equal(
    parseQuery(search, columns).filters.map(({ name, operator, values }) => [name, operator, ...values]),
    [
      ['total', 'gte', '5'],
      ['total', 'lt', '9.5'],
      ['status', 'in', 'a', 'b'],
      ['status', 'contains', '50%,_'],
      ['status', 'eq', 'x,y'],
    ],
  );
});

test('a comparison that does not exist or does not fit its column is refused', () => {
  assert.equal(faultsOf('filter[total][like]=5&filter[total][contains]=5&filter[secret][gte]=1'), [
    ['/filter/total/like', 'is not a comparison; use gte, gt, lte, lt, in, contains'],
    ['/filter/total/contains', 'is for columns of text only'],
    [
      '/filter/secret/gte',
      'is not a column to filter by; use status, customerId, total, items, paid, placedAt, views',
    ],
  ]);
  assert.equal(faultsOf('filter[total][gte]=5&filter[total][gte]=6&filter[items][in]=1,x'), [
    ['/filter/total/gte', 'takes one value'],
    ['/filter/items/in', 'must be a whole number'],
  ]);
  assert.throws(
    () => parseQuery('filter[total][gte]=x', columns),
    (error: Problem) => error.detail === 'filter[total][gte] must be a decimal number.',
  );
});

test('a cursor takes the place of the page, and the only count to ask for is the exact one', () => {
  const { cursor, count } = parseQuery('cursor=WzFd&count=exact', columns);
  assert.equal([cursor, count], ['WzFd', 'exact']);
  assert.equal(faultsOf('cursor=WzFd&page=2&count=some'), [
    ['/cursor', 'takes the place of page; send one of them'],
    ['/count', 'must be exact, or left out'],
  ]);
});

const samples = {
  text: fc.string({ unit: 'grapheme' }).filter((text) => textForms.text.fits(text)),
  uuid: fc.uuid(),
  numeric: fc.integer().map((cents) => (cents / 100).toFixed(2)),
  integer: fc.integer({ min: -1_000, max: 1_000 }).map(String),
  bigint: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String),
  boolean: fc.boolean().map(String),
  timestamptz: fc
    .date({ min: new Date(0), max: new Date('9999-01-01'), noInvalidDate: true })
    .map((date) => date.toISOString()),
} satisfies Record<ColumnType, fc.Arbitrary<string>>;

const anyFilter = fc.constantFrom(...columns).chain(({ name, type }) =>
  fc.oneof(
    fc.record({
      name: fc.constant(name),
      operator: fc.constantFrom('gte', 'gt', 'lte', 'lt'),
      values: fc.tuple(samples[type]),
    }),
    fc.record({
      name: fc.constant(name),
      operator: fc.constantFrom('eq', 'in', ...(type === 'text' ? ['contains'] : [])),
      values: fc.array(samples[type], { minLength: 1, maxLength: 4 }),
    }),
  ),
);

/** `in` splits at commas; all others repeat the parameter. */
const parametersOf = ({
  name,
  operator,
  values,
}: {
  readonly name: string;
  readonly operator: string;
  readonly values: readonly string[];
}): [string, string][] => {
  const parameter = operator === 'eq' ? `filter[${name}]` : `filter[${name}][${operator}]`;
  return (operator === 'in' ? [values.join()] : values).map((value) => [parameter, value]);
};

test('every filter that a URL can carry is read as it was written', () => {
  const filters = fc.uniqueArray(anyFilter, {
    maxLength: 5,
    selector: ({ name, operator }) => `${name} ${operator}`,
  });
  fc.assert(
    fc.property(filters, (list) => {
      const asked = list.filter(
        ({ operator, values }) => operator !== 'in' || !values.join('').includes(','),
      );
      const search = new URLSearchParams(asked.flatMap(parametersOf)).toString();
      assert.equal(
        parseQuery(search, columns).filters,
        asked.map((filter) => ({ ...filter })),
      );
    }),
  );
});

test('every fault is reported at once', () => {
  const faults = faultsOf('page=0&pageSize=101&sort=x&filter[total]=1e3&limit=5');
  assert.equal(
    faults.map(([path]) => path),
    ['/filter/total', '/limit', '/page', '/pageSize', '/sort'],
  );
});

test('of many faults the first hundred are listed, with the total number', () => {
  try {
    parseQuery('a&'.repeat(7_000), columns);
    assert.unreachable();
  } catch (error) {
    const { errors, extensions, detail = '' } = error as Problem;
    assert.is(errors?.length, 100);
    assert.equal(extensions, { errorCount: 7_000 });
    assert.match(detail, /^a is not a parameter; .*; and 6995 more\.$/);
    assert.ok(detail.length < 1_000);
  }
});

test('a fault names the parameter as written in the URL', () => {
  assert.throws(
    () => parseQuery('filter[a/b]=1', columns),
    (error: Problem) => error.detail?.startsWith('filter[a/b] is not a column') === true,
  );
});

test('a column accepts a hundred values and a page ten sort columns, and no more', () => {
  assert.is(parseQuery('filter[status]=a&'.repeat(100), columns).filters[0]?.values.length, 100);
  assert.equal(faultsOf('filter[status]=a&'.repeat(101)), [
    ['/filter/status', 'must have at most 100 values'],
  ]);
  assert.equal(faultsOf(`sort=${'status,'.repeat(11)}`), [['/sort', 'takes at most 10 columns']]);
});

for (const [filter, description] of [
  ['customerId=7', 'a UUID'],
  ['total=abc', 'a decimal number'],
  ['items=1.5', 'a whole number'],
  ['views=9999999999999999999', 'a whole number'],
  ['paid=yes', 'true or false'],
  ['placedAt=yesterday', 'a timestamp such as 2026-01-31T12:00:00Z'],
  ['placedAt=0000-01-01T00:00:00Z', 'a timestamp such as 2026-01-31T12:00:00Z'],
  ['placedAt=2026-01-01T00:00:00%2B16:00', 'a timestamp such as 2026-01-31T12:00:00Z'],
  ['status=%00', 'text without U+0000'],
] as const) {
  const [name = '', value = ''] = filter.split('=');
  test(`a filter on ${name} that is not ${description} is refused: ${value}`, () => {
    assert.equal(faultsOf(`filter[${name}]=${value}`), [[`/filter/${name}`, `must be ${description}`]]);
  });
}

test('the largest and smallest numbers of a column are accepted, none beyond them', () => {
  for (const within of ['items=2147483647', 'items=-2147483648', 'views=9223372036854775807'])
    assert.equal(faultsOf(`filter[${within.replace('=', ']=')}`), []);
  for (const beyond of ['items=2147483648', 'items=-2147483649', 'views=9223372036854775808'])
    assert.is(faultsOf(`filter[${beyond.replace('=', ']=')}`)[0]?.[1], 'must be a whole number');
});

for (const page of ['-1', '1.5', 'NaN', '99999999', '']) {
  test(`'${page}' is not a page`, () => {
    assert.is(faultsOf(`page=${page}`)[0]?.[0], '/page');
  });
}
