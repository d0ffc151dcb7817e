/** The part of a client with reads that does not depend on the service. */
export const clientRowsSupport = `
/** A row must match all of it; one without a value matches nothing. */
export interface RowsComparisons<Value> {
  readonly gte?: Value;
  readonly gt?: Value;
  readonly lte?: Value;
  readonly lt?: Value;
  /** Any of these values. */
  readonly in?: readonly Value[];
}

export type RowsFilter<Value> = Value | RowsComparisons<Value>;

/** \`contains\`: a part of the text, in any case. */
export type RowsTextFilter = string | (RowsComparisons<string> & { readonly contains?: string });

export interface RowsQuery<Filters> {
  /** Rows must match all of it. */
  readonly filter?: Filters;
  /** Names of columns; a leading \`-\` sorts in descending order. */
  readonly sort?: readonly ((keyof Filters & string) | \`-\${keyof Filters & string}\`)[];
  readonly page?: number;
  /** At most 100; 10 by default. */
  readonly pageSize?: number;
  /** The \`nextCursor\` of a page with the same filter and sort; it takes the place of \`page\`. */
  readonly cursor?: string;
  /** Without it, a \`totalCount\` above 1,000 is estimated. */
  readonly count?: 'exact';
}

export interface RowsPage<Row> {
  readonly data: readonly Row[];
  readonly totalCount: number;
  readonly totalCountIs: 'exact' | 'estimated';
  readonly page: number;
  readonly pageSize: number;
  readonly totalPages: number;
  readonly hasNextPage: boolean;
  readonly hasPreviousPage: boolean;
  /** Absent on the last page. */
  readonly nextCursor?: string;
}

/** Reads a perspective. */
export class Rows<Row, Filters extends object> {
  readonly #call: Call;
  readonly #route: string;

  constructor(call: Call, route: string) {
    this.#call = call;
    this.#route = route;
  }

  /** One page. */
  async list(query: RowsQuery<Filters> = {}, options?: CallOptions): Promise<RowsPage<Row>> {
    if (matchesNothing(query.filter)) return { ...emptyPage, pageSize: query.pageSize ?? 10 };
    return this.#call.get(this.#route + searchOf(query), options);
  }

  /** One row; a ProblemError with the code \`not-found\` when there is none. */
  async get(id: string, options?: CallOptions): Promise<Row> {
    return this.#call.get(this.#route + pathOf(id), options);
  }

  /** Every row, page by page as they are needed. */
  async *all(
    query: Omit<RowsQuery<Filters>, 'page' | 'count'> = {},
    options?: CallOptions,
  ): AsyncGenerator<Row, void, undefined> {
    let { cursor } = query;
    do {
      const page: RowsPage<Row> = await this.list(
        { pageSize: 100, ...query, ...(cursor === undefined ? {} : { cursor }) },
        options,
      );
      yield* page.data;
      cursor = page.nextCursor;
    } while (cursor !== undefined);
  }

  /**
   * What changes in the rows of a filter, or in the row with an id, from now on. Lost connections are replaced, and
   * nothing is missed. Ends by your \`signal\`, or with a ProblemError when the service refuses or ends it.
   */
  async *watch(
    what: string | { readonly filter?: Filters } = {},
    options: RowsWatchOptions = {},
  ): AsyncGenerator<RowsChange<Row>, void, undefined> {
    const isOne = typeof what === 'string';
    if (!isOne && matchesNothing(what.filter)) {
      yield { type: 'ready', position: '' };
      return;
    }
    const path = isOne ? \`\${pathOf(what)}/live\` : \`/live\${searchOf(what)}\`;
    const watch = new RowsWatch<Row>(this.#call, this.#route + path, options);
    try {
      for (;;) yield await watch.next();
    } finally {
      watch.end();
    }
  }
}

const emptyPage = {
  data: [],
  totalCount: 0,
  totalCountIs: 'exact',
  page: 1,
  totalPages: 0,
  hasNextPage: false,
  hasPreviousPage: false,
} as const;

/** In a URL, one or two dots are no name but a place: the request would go to another route. */
function pathOf(id: string): string {
  if (!/^\\.{0,2}$/.test(id)) return \`/\${encodeURIComponent(id)}\`;
  const detail = 'There is no row with such an id.';
  throw new ProblemError({ type: 'urn:svc:problem:not-found', title: 'Not found', status: 404, detail });
}

/** A URL cannot express a list without values. */
const matchesNothing = (filter: object = {}): boolean =>
  Object.values(filter).some(
    (given: { readonly in?: readonly unknown[] } | string | number | boolean | undefined) =>
      typeof given === 'object' && given.in?.length === 0,
  );

function searchOf<Filters extends object>({ filter, sort = [], ...others }: RowsQuery<Filters>): string {
  const search = new URLSearchParams();
  for (const [column, given] of Object.entries(filter ?? {}) as [string, unknown][])
    for (const [name, value] of comparisonsOf(column, given)) search.append(name, String(value));
  if (sort.length > 0) search.set('sort', sort.join());
  for (const [name, value] of Object.entries(others)) if (value !== undefined) search.set(name, String(value));
  const text = search.toString();
  return text === '' ? '' : \`?\${text}\`;
}

function comparisonsOf(column: string, given: unknown): readonly (readonly [name: string, value: unknown])[] {
  const name = \`filter[\${column}]\`;
  if (given === undefined) return [];
  if (typeof given !== 'object' || given === null) return [[name, given]];
  return Object.entries(given).flatMap(([operator, value]: [string, unknown]) => {
    if (value === undefined) return [];
    // Each value in a parameter of its own: a comma in one would separate two.
    if (operator === 'in') return (value as readonly unknown[]).map((one) => [name, one] as const);
    return [[\`\${name}[\${operator}]\`, value] as const];
  });
}
`;
