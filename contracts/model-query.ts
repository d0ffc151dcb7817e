import type { AnyPerspective } from './perspective.js';

/** A value of a column; numbers may be given as text. */
export type FilterValue = string | number | boolean;

/** A row must match all of them. */
export interface FilterComparisons {
  readonly gte?: FilterValue;
  readonly gt?: FilterValue;
  readonly lte?: FilterValue;
  readonly lt?: FilterValue;
  /** Any of these values. */
  readonly in?: readonly FilterValue[];
  /** A part of a text, in any case. */
  readonly contains?: string;
}

/** Selects rows of a perspective by its declared columns. */
export interface ModelQuery {
  readonly filter?: Readonly<Record<string, FilterValue | FilterComparisons>>;
  /** Names of columns; a leading `-` sorts in descending order. */
  readonly sort?: readonly string[];
  /** The number of rows (default 100, at most 1,000). */
  readonly limit?: number;
}

/** The class of a perspective, whose rows are `TModel`. */
export type PerspectiveClass<TModel> = abstract new (...args: never[]) => AnyPerspective<TModel>;

/** Reads rows for receptors: those of one tenant, or those without. */
export interface ModelReader {
  one(perspective: PerspectiveClass<unknown>, key: string, tenant: string | undefined): Promise<unknown>;
  some(
    perspective: PerspectiveClass<unknown>,
    query: ModelQuery,
    tenant: string | undefined,
  ): Promise<readonly unknown[]>;
}
