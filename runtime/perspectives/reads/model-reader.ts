import type {
  FilterComparisons,
  FilterValue,
  ModelQuery,
  ModelReader,
  PerspectiveClass,
} from '../../../contracts/model-query.js';
import type { AnyPerspective } from '../../../contracts/perspective.js';
import { Problem } from '../../../contracts/problems.js';
import { textForms } from '../tables/column-text.js';
import { type PerspectiveTable, perspectiveTable, type TableColumn } from '../tables/perspective-table.js';
import type { ReadModels } from './read-models.js';
import type { FilterOperator, RowFilter, RowsQuery } from './rows-query.js';

/** Reads the stored rows of these perspectives. */
export function storedModels(perspectives: readonly AnyPerspective[], models: ReadModels): ModelReader {
  const tables = new Map<unknown, PerspectiveTable>(
    perspectives.map((perspective) => [perspective.constructor, perspectiveTable(perspective)]),
  );
  const tableOf = (perspective: PerspectiveClass<unknown>) =>
    tables.get(perspective) ?? unknownClass(perspective);
  return {
    one: async (perspective, key, tenant) => {
      const { model } = await models.one(tableOf(perspective), key, tenant);
      return model === undefined ? undefined : JSON.parse(model);
    },
    some: async (perspective, query, tenant) => {
      const table = tableOf(perspective);
      const page = await models.page(table, rowsQueryOf(table, query, tenant));
      return JSON.parse(page.models) as readonly unknown[];
    },
  };
}

export function unknownClass({ name }: PerspectiveClass<unknown>): never {
  throw new Problem('invalid-setup', { detail: `${name} is not a perspective of this service.` });
}

const defaultLimit = 100;
const maxLimit = 1_000;

/** The query of a receptor; a column or value that does not exist is a mistake of the code. */
export function rowsQueryOf(
  { columns, newestFirst, name }: PerspectiveTable,
  { filter = {}, sort = [], limit = defaultLimit }: ModelQuery,
  tenant: string | undefined,
): RowsQuery {
  const columnOf = (asked: string): TableColumn =>
    columns.find((column) => column.name === asked) ?? refuse(`${name} has no column '${asked}'`);
  if (!Number.isSafeInteger(limit) || limit < 1 || limit > maxLimit)
    refuse(`limit must be a whole number from 1 to ${maxLimit}`);
  return {
    tenant,
    filters: Object.entries(filter).flatMap(([asked, value]) => filtersOf(columnOf(asked), value)),
    sort: sort.map((asked) => ({
      column: columnOf(asked.replace(/^-/, '')),
      descending: asked.startsWith('-'),
    })),
    newestFirst,
    limit,
    offset: 0,
    count: 'none',
  };
}

const operators: readonly FilterOperator[] = ['gte', 'gt', 'lte', 'lt', 'in', 'contains'];

function filtersOf(column: TableColumn, value: FilterValue | FilterComparisons): RowFilter[] {
  if (typeof value !== 'object') return [{ column, operator: 'eq', values: [textOf(column, value)] }];
  return Object.entries(value).map(([name, given]: [string, FilterValue | readonly FilterValue[]]) => {
    const operator = operators.find((one) => one === name) ?? refuse(`there is no comparison '${name}'`);
    if (operator === 'contains' && column.type !== 'text') refuse(`column '${column.name}' is not a text`);
    const list = typeof given === 'object' ? given : [given];
    return { column, operator, values: list.map((one) => textOf(column, one)) };
  });
}

function textOf({ name, type }: TableColumn, value: FilterValue): string {
  const text = String(value);
  return textForms[type].fits(text)
    ? text
    : refuse(`column '${name}' must be ${textForms[type].description}`);
}

function refuse(fault: string): never {
  throw new Problem('invalid-query', { detail: `The query of a receptor is wrong: ${fault}.` });
}
