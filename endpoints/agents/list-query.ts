import { isObject, type JsonObject } from '../../contracts/codec-scalars.js';
import { Faults } from '../../contracts/faults.js';
import { pointerStep } from '../../contracts/json-pointer.js';
import { Problem } from '../../contracts/problems.js';
import type { QueryColumn } from '../queries/parse-filters.js';
import { parseQuery, type ReadQuery } from '../queries/parse-query.js';
import type { ToolDocument } from './tool-entry.js';

/** The arguments of a list, read as the same parameters are in a URL. */
export function listQueryIn(
  args: JsonObject,
  { inputSchema }: ToolDocument,
  columns: readonly QueryColumn[],
): ReadQuery {
  const { filter: filters, pageSize } = inputSchema['properties'] as Record<string, JsonObject>;
  const faults = new Faults();
  const parameters = new URLSearchParams();
  const add = (name: string, value: unknown, path: string): void => {
    if (isScalar(value)) parameters.append(name, String(value));
    else faults.push({ path, message: 'must be text, a number, true or false' });
  };
  for (const [name, value] of Object.entries(args)) {
    if (name !== 'filter') {
      if (argumentsOfLists.has(name)) add(name, value, `/${name}`);
      else faults.push({ path: `/${pointerStep(name)}`, message: 'is not known' });
    } else if (isObject(value)) addFilters(value, add);
    else faults.push({ path: '/filter', message: 'must be an object' });
  }
  if (faults.found > 0) throw new Problem('invalid-query', faults.listed);
  const search = parameters.toString();
  if (search.length > longestQuery)
    throw new Problem('invalid-query', { detail: `Arguments have at most ${longestQuery} characters.` });
  // A filter would show what a hidden field contains.
  const shown = isObject(filters?.['properties']) ? filters['properties'] : {};
  const known = columns.filter(({ name }) => Object.hasOwn(shown, name));
  const parsed = parseQuery(search, known);
  return { ...parsed, pageSize: Math.min(parsed.pageSize, Number(pageSize?.['maximum'])) };
}

/** As much as fits into a URL. */
const longestQuery = 16_384;

const argumentsOfLists = new Set(['sort', 'pageSize', 'cursor']);

const isScalar = (value: unknown): boolean => ['string', 'number', 'boolean'].includes(typeof value);

type Add = (name: string, value: unknown, path: string) => void;

function addFilters(filter: JsonObject, add: Add): void {
  for (const [column, value] of Object.entries(filter)) {
    const path = `/filter/${pointerStep(column)}`;
    if (!isObject(value)) add(`filter[${column}]`, value, path);
    else
      for (const [operator, compared] of Object.entries(value))
        add(`filter[${column}][${operator}]`, compared, `${path}/${pointerStep(operator)}`);
  }
}
