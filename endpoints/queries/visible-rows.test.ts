import * as assert from 'uvu/assert';
import { type IdentityInit, identityFrom } from '../../contracts/identity.js';
import { Event } from '../../contracts/message.js';
import type { AnyPerspective, Perspective } from '../../contracts/perspective.js';
import type { Problem } from '../../contracts/problems.js';
import { Permission } from '../../contracts/permission.js';
import { ScopeFilters } from '../../contracts/perspective-scope.js';
import { suite } from '../../contracts/testing/suite.js';
import { AccessGuard } from '../../runtime/access/access-guard.js';
import type { ReadModels, RowsQuery } from '../../runtime/perspectives/reads/read-models.js';
import { perspectiveTable } from '../../runtime/perspectives/tables/perspective-table.js';
import { RowCursors } from '../../runtime/perspectives/reads/row-cursor.js';
import { sortKeysOf } from '../../runtime/perspectives/reads/row-segments.js';
import { everyRow, rowAccessOf } from './row-access.js';
import { VisibleRows } from './visible-rows.js';

const test = suite('visible rows');

class Written extends Event {}

interface Note {
  readonly n: number;
}

const notes: Perspective<Note, Written> = {
  name: 'notes',
  events: [Written],
  initial: () => ({ n: 0 }),
  apply: (note) => note,
  permission: Permission.read('notes'),
  columns: {
    organizationId: { type: 'text', of: () => null },
    customerId: { type: 'uuid', of: () => null },
    principal: { type: 'text', of: () => null },
    userId: { type: 'integer', of: () => null },
  },
};

const asked = { filters: [], sort: [], newestFirst: false, limit: 10, offset: 0, count: 'bounded' } as const;
const ann = (scope: IdentityInit['scope'] = {}) => identityFrom({ source: 'test', scope });

const cursors = new RowCursors('notes', sortKeysOf({ sort: [], newestFirst: false }), []);

/** Models that remember what they were asked for. */
function rowsOf(more: Partial<Perspective<Note>>, total = 3) {
  const perspective = { ...notes, ...more } as AnyPerspective;
  const table = perspectiveTable(perspective);
  const queries: Pick<RowsQuery, 'tenant' | 'filters'>[] = [];
  const denied: string[] = [];
  const models: ReadModels = {
    page: async (_, query) => {
      queries.push(query);
      const decoded = query.after === undefined ? undefined : cursors.decode(query.after);
      const first = decoded === undefined ? 0 : Number(decoded.values[0]) + 1;
      const list = Array.from({ length: Math.min(total - first, query.limit) }, (__, at) => ({
        n: first + at,
      }));
      return {
        models: JSON.stringify(list),
        total,
        isExact: true,
        start: decoded?.rank ?? query.offset,
        cursors: list.map(({ n }) => cursors.cursorAt({ rank: n + 1, values: [String(n)] })),
        state: 'rebuilding',
      };
    },
    one: async (_, id, tenant, filters = []) => {
      queries.push({ tenant, filters });
      return { ...(id === 'missing' ? {} : { model: `{"n":${id}}` }), isParked: true };
    },
  };
  const guard = new AccessGuard({
    established: () => undefined,
    granted: () => undefined,
    denied: (_by, { value }, { type, id }, reason) => void denied.push(`${value} ${type} ${id} ${reason}`),
  });
  const access = rowAccessOf(perspective, new Map(table.columns.map((one) => [one.name, one])), guard);
  const filters = () =>
    (queries.at(-1)?.filters ?? []).map(({ column, values }) => `${column.name}=${values.join('|')}`);
  return { rows: new VisibleRows(models, table, access), models, table, access, filters, denied };
}

const { Tenant, Organization, Customer, Principal, User } = ScopeFilters;

test('each declared part of the scope is a filter, and one that the caller lacks matches nothing', async () => {
  const { rows, access, filters } = rowsOf({ filters: Organization | Customer | Principal });
  assert.is(access.flags, Tenant | Organization | Customer | Principal);
  const customerId = '0190b5d4-0000-7000-8000-000000000001';
  const whole = ann({ organizationId: 'sales', customerId, allowedPrincipals: ['a', 'b'] });
  await rows.page(whole, asked);
  const all = ['organizationId=sales', `customerId=${customerId}`, 'principal=a|b'];
  assert.equal(filters(), all);
  await rows.one(whole, '1');
  assert.equal(filters(), all);
  await rows.one(ann({ customerId: 'not a uuid' }), '1');
  assert.equal(filters(), ['organizationId=', 'customerId=', 'principal=']);
  await rows.page(undefined, asked);
  assert.equal(filters(), ['organizationId=', 'customerId=', 'principal=']);
});

test('a filter without its column is refused at the start', () => {
  for (const [filter, columns] of [
    [User, notes.columns],
    [Organization, {}],
  ] as const)
    assert.throws(
      () => rowsOf({ filters: filter, ...(columns === undefined ? {} : { columns }) }),
      /The filters of perspective notes need a column '(?:userId|organizationId)' of type text or uuid\./,
    );
});

test('a list of too many rows to check is refused, and one that fits is exact', async () => {
  const isEven = { authorize: ({ n }: Note) => n % 2 === 0 };
  const { models, total, state } = await rowsOf(isEven, 2_000).rows.page(ann(), { ...asked, offset: 990 });
  assert.equal([JSON.parse(models).length, total, state], [10, 1_000, 'rebuilding']);
  assert.is(JSON.parse(models)[0].n, 1_980);
  const refused = await rowsOf(isEven, 2_001)
    .rows.page(ann(), asked)
    .catch((error: Problem) => error.code);
  assert.is(refused, 'invalid-query');
});

test('cursors walk over the rows that a caller may see, and count no others', async () => {
  const { rows } = rowsOf({ authorize: ({ n }: Note) => n % 2 === 0 }, 9);
  const found: unknown[] = [];
  for (let after: string | undefined, turn = 0; turn < 9; turn++) {
    const page = await rows.page(ann(), { ...asked, limit: 2, ...(after === undefined ? {} : { after }) });
    found.push([page.start, page.total, ...(JSON.parse(page.models) as Note[]).map(({ n }) => n)]);
    if (page.next === undefined) break;
    after = page.next;
    assert.is(cursors.decode(after).rank, page.start + 2);
  }
  assert.equal(found, [
    [0, 5, 0, 2],
    [2, 5, 4, 6],
    [4, 5, 8],
  ]);
});

test('a refused row is not found and recorded; whether it is parked stays unknown', async () => {
  const { rows, denied } = rowsOf({ authorize: ({ n }: Note) => n === 1 });
  assert.equal(await rows.one(ann(), '1'), { model: '{"n":1}', isParked: true });
  assert.equal(await rows.one(ann(), '2'), { isParked: false });
  assert.equal(await rows.one(ann(), 'missing'), { isParked: false });
  assert.equal(denied, ['notes:read notes 2 PolicyRejected']);
});

test('without authentication nothing is filtered or hidden', async () => {
  const { models, table, filters } = rowsOf({ filters: Organization, authorize: () => false });
  const rows = new VisibleRows(models, table, everyRow);
  assert.is((await rows.page(undefined, asked)).total, 3);
  assert.equal(filters(), []);
  assert.equal(await rows.one(undefined, 'missing'), { isParked: true });
});
