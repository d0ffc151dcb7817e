import { Faults } from '../../contracts/faults.js';
import { pointerStep } from '../../contracts/json-pointer.js';
import { Problem } from '../../contracts/problems.js';
import {
  columnNames,
  FilterParameters,
  type Known,
  type QueryColumn,
  type ReadFilter,
} from './parse-filters.js';

/** A page of a perspective, as requested by the URL. */
export interface ReadQuery {
  readonly page: number;
  readonly pageSize: number;
  readonly sort: readonly { readonly name: string; readonly descending: boolean }[];
  /** Rows must match all of them. */
  readonly filters: readonly ReadFilter[];
  /** Takes the place of the page. */
  readonly cursor?: string;
  readonly count: 'exact' | 'bounded';
}

const defaultPageSize = 10;
const maxPageSize = 100;
const maxPage = 1_000_000;

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
  const filters = new FilterParameters(known, faults);
  for (const [name, value] of parameters) {
    if (!filters.add(name, value) && !plainParameters.includes(name))
      faults.push({ path: `/${pointerStep(name)}`, message: `is not a parameter; ${allowed(known)}` });
  }
  const page = wholeNumber(parameters, 'page', 1, maxPage, faults);
  const pageSize = wholeNumber(parameters, 'pageSize', defaultPageSize, maxPageSize, faults);
  const sort = sortOf(parameters.getAll('sort'), known, faults);
  const cursor = cursorOf(parameters, faults);
  const count = countOf(parameters, faults);
  if (faults.found === 0) return { page, pageSize, sort, filters: filters.found, ...cursor, count };
  throw new Problem('invalid-query', { detail: detailOf(faults), ...faults.listed });
}

const plainParameters = ['page', 'pageSize', 'sort', 'cursor', 'count'];

/** What it stands for is checked when the query is known. */
function cursorOf(parameters: URLSearchParams, faults: Faults): { readonly cursor?: string } {
  const cursor = parameters.get('cursor');
  if (cursor === null) return {};
  if (parameters.has('page'))
    faults.push({ path: '/cursor', message: 'takes the place of page; send one of them' });
  return { cursor };
}

function countOf(parameters: URLSearchParams, faults: Faults): ReadQuery['count'] {
  const count = parameters.get('count');
  if (count === null) return 'bounded';
  if (count !== 'exact') faults.push({ path: '/count', message: 'must be exact, or left out' });
  return 'exact';
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
  const [name = '', ...steps] = path
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  return `${name}${steps.map((step) => `[${step}]`).join('')}`;
}

const allowed = (known: Known): string =>
  known.size === 0
    ? 'page, pageSize, cursor and count are'
    : `page, pageSize, cursor, count, sort and filter[…] are, with ${[...known.keys()].join(', ')}`;

function sortOf(given: readonly string[], known: Known, faults: Faults): ReadQuery['sort'] {
  const sort = given
    .flatMap((text) => text.split(','))
    .filter((text) => text !== '')
    .map((text) => ({ name: text.replace(/^-/, ''), descending: text.startsWith('-') }));
  for (const { name } of sort) {
    if (!known.has(name))
      faults.push({
        path: '/sort',
        message: `knows no column '${pointerStep(name)}'; ${columnNames(known)}`,
      });
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
