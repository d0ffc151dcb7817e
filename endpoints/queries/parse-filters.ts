import type { Faults } from '../../contracts/faults.js';
import { pointerStep } from '../../contracts/json-pointer.js';
import type { ColumnType } from '../../contracts/perspective.js';
import { textForms } from '../../runtime/perspectives/tables/column-text.js';
import type { FilterOperator } from '../../runtime/perspectives/reads/read-models.js';

/** What readers of a perspective may filter and sort by. */
export interface QueryColumn {
  readonly name: string;
  readonly type: ColumnType;
}

export type Known = ReadonlyMap<string, QueryColumn>;

/** Of several values, any matches. */
export interface ReadFilter {
  readonly name: string;
  readonly operator: FilterOperator;
  readonly values: readonly string[];
}

/** The limit of values per column and operator; more are a mistake or an attack. */
const maxValues = 100;

const ranges: readonly string[] = ['gte', 'gt', 'lte', 'lt'];
const operators: readonly string[] = [...ranges, 'in', 'contains'] satisfies readonly string[];

/** Collects `filter[column]` and `filter[column][operator]`. */
export class FilterParameters {
  readonly #found = new Map<string, { name: string; operator: FilterOperator; values: string[] }>();

  constructor(
    private readonly known: Known,
    private readonly faults: Faults,
  ) {}

  get found(): readonly ReadFilter[] {
    return [...this.#found.values()];
  }

  /** Whether the parameter is a filter. */
  add(parameter: string, value: string): boolean {
    if (!parameter.startsWith('filter[') || !parameter.endsWith(']')) return false;
    const inner = parameter.slice('filter['.length, -1);
    const split = inner.indexOf('][');
    const name = split < 0 ? inner : inner.slice(0, split);
    this.#add(name, split < 0 ? undefined : inner.slice(split + 2), value);
    return true;
  }

  #add(name: string, given: string | undefined, value: string): void {
    const path = `/filter/${pointerStep(name)}${given === undefined ? '' : `/${pointerStep(given)}`}`;
    const fault = (message: string): void => void this.faults.push({ path, message });
    const column = this.known.get(name);
    if (column === undefined) return fault(`is not a column to filter by; ${columnNames(this.known)}`);
    if (given !== undefined && !isOperator(given))
      return fault(`is not a comparison; use ${operators.join(', ')}`);
    const operator = given ?? 'eq';
    if (operator === 'contains' && column.type !== 'text') return fault('is for columns of text only');
    const filter = this.#found.get(path) ?? { name, operator, values: [] };
    this.#found.set(path, filter);
    const form = textForms[column.type];
    for (const one of operator === 'in' ? value.split(',') : [value]) {
      if (!form.fits(one)) return fault(`must be ${form.description}`);
      filter.values.push(one);
    }
    if (filter.values.length > maxValues) fault(`must have at most ${maxValues} values`);
    if (ranges.includes(operator) && filter.values.length > 1) fault('takes one value');
  }
}

const isOperator = (text: string): text is FilterOperator => operators.includes(text);

export const columnNames = (known: Known): string =>
  known.size === 0 ? 'there is none' : `use ${[...known.keys()].join(', ')}`;
