import type { ColumnType } from '../../contracts/perspective.js';
import { Faults } from '../../contracts/faults.js';
import { pointerStep } from '../../contracts/json-pointer.js';
import { Problem } from '../../contracts/problems.js';
import { isUuid } from '../../contracts/scalars.js';
import { isStorableTimestamp } from '../../runtime/perspectives/column-value.js';

/** What readers of a perspective may filter and sort by. */
export interface QueryColumn {
  readonly name: string;
  readonly type: ColumnType;
}

/** A page of a perspective, as requested by the URL. */
export interface ReadQuery {
  readonly page: number;
  readonly pageSize: number;
  readonly sort: readonly { readonly name: string; readonly descending: boolean }[];
  /** Rows must match all of them; of several values for one column, any. */
  readonly filters: ReadonlyMap<string, readonly string[]>;
}

const defaultPageSize = 10;
const maxPageSize = 100;
const maxPage = 1_000_000;

/** The limit of values per column; more are a mistake or an attack. */
const maxValues = 100;
const maxSorts = 10;

/** The query of a request's URL. */
export function queryIn(url: string, columns: readonly QueryColumn[]): ReadQuery {
  const mark = url.indexOf('?');
  return parseQuery(mark < 0 ? '' : url.slice(mark + 1), columns);
}

/**
 * Reports every fault at once, each with the allowed names; its path points to the parameter as OpenAPI declares it.
 */
export function parseQuery(search: string, columns: readonly QueryColumn[]): ReadQuery {
  const faults = new Faults();
  const known = new Map(columns.map((column) => [column.name, column]));
  const parameters = new URLSearchParams(search);
  const filters = new Map<string, string[]>();
  for (const [name, value] of parameters) {
    if (name.startsWith('filter[') && name.endsWith(']'))
      addFilter(filters, name.slice('filter['.length, -1), value, known, faults);
    else if (!['page', 'pageSize', 'sort'].includes(name))
      faults.push({ path: `/${pointerStep(name)}`, message: `is not a parameter; ${allowed(known)}` });
  }
  const page = wholeNumber(parameters, 'page', 1, maxPage, faults);
  const pageSize = wholeNumber(parameters, 'pageSize', defaultPageSize, maxPageSize, faults);
  const sort = sortOf(parameters.getAll('sort'), known, faults);
  if (faults.found === 0) return { page, pageSize, sort, filters };
  throw new Problem('invalid-query', { detail: detailOf(faults), ...faults.listed });
}

const maxListedFaults = 5;

function detailOf(faults: Faults): string {
  const description = Array.from(faults)
    .slice(0, maxListedFaults)
    .map(({ path, message }) => `${parameterAt(path)} ${message}`);
  const others = faults.found - description.length;
  return `${description.join('; ')}${others > 0 ? `; and ${others} more` : ''}.`;
}

/** The parameter as written in a URL: `/filter/total` is `filter[total]`. */
function parameterAt(path: string): string {
  const name = path.slice(1).replaceAll('~1', '/').replaceAll('~0', '~');
  return path.startsWith('/filter/') ? `filter[${name.slice('filter/'.length)}]` : name;
}

type Known = ReadonlyMap<string, QueryColumn>;

const allowed = (known: Known): string =>
  known.size === 0
    ? 'page and pageSize are'
    : `page, pageSize, sort and filter[…] are, with ${[...known.keys()].join(', ')}`;

const names = (known: Known): string =>
  known.size === 0 ? 'there is none' : `use ${[...known.keys()].join(', ')}`;

function addFilter(
  filters: Map<string, string[]>,
  name: string,
  value: string,
  known: Known,
  faults: Faults,
): void {
  const path = `/filter/${pointerStep(name)}`;
  const column = known.get(name);
  if (column === undefined) {
    faults.push({ path, message: `is not a column to filter by; ${names(known)}` });
    return;
  }
  const form = forms[column.type];
  const values = filters.get(name) ?? [];
  if (!form.fits(value)) faults.push({ path, message: `must be ${form.description}` });
  else if (values.push(value) > maxValues)
    faults.push({ path, message: `must have at most ${maxValues} values` });
  filters.set(name, values);
}

function sortOf(given: readonly string[], known: Known, faults: Faults): ReadQuery['sort'] {
  const sort = given
    .flatMap((text) => text.split(','))
    .filter((text) => text !== '')
    .map((text) => ({ name: text.replace(/^-/, ''), descending: text.startsWith('-') }));
  for (const { name } of sort) {
    if (!known.has(name))
      faults.push({ path: '/sort', message: `knows no column '${pointerStep(name)}'; ${names(known)}` });
  }
  if (sort.length > maxSorts) faults.push({ path: '/sort', message: `takes at most ${maxSorts} columns` });
  return sort;
}

function wholeNumber(
  parameters: URLSearchParams,
  name: string,
  fallback: number,
  max: number,
  faults: Faults,
): number {
  const text = parameters.get(name);
  if (text === null) return fallback;
  const value = /^\d{1,7}$/.test(text) ? Number(text) : 0;
  if (value >= 1 && value <= max) return value;
  faults.push({ path: `/${name}`, message: `must be a whole number from 1 to ${max}` });
  return fallback;
}

interface Form {
  readonly description: string;
  fits(text: string): boolean;
}

const wholeForm = (bits: number): Form => ({
  description: 'a whole number',
  fits: (text) => /^-?\d{1,19}$/.test(text) && BigInt.asIntN(bits, BigInt(text)) === BigInt(text),
});

/** Checked here, so that the database never gets a value that it would refuse. */
const forms: Readonly<Record<ColumnType, Form>> = {
  text: { description: 'text without U+0000', fits: (text) => !text.includes('\0') },
  uuid: { description: 'a UUID', fits: (text) => text.length === 36 && isUuid(text.toLowerCase()) },
  integer: wholeForm(32),
  bigint: wholeForm(64),
  numeric: { description: 'a decimal number', fits: (text) => /^-?\d{1,60}(?:\.\d{1,60})?$/.test(text) },
  boolean: { description: 'true or false', fits: (text) => text === 'true' || text === 'false' },
  timestamptz: { description: 'a timestamp such as 2026-01-31T12:00:00Z', fits: isStorableTimestamp },
};
