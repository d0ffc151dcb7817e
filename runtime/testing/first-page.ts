import type { RowsQuery } from '../perspectives/reads/rows-query.js';

/** The first ten rows without a tenant, by key. */
export const firstPage: RowsQuery = {
  tenant: undefined,
  filters: [],
  sort: [],
  newestFirst: false,
  limit: 10,
  offset: 0,
  count: 'bounded',
};
