/** How many turns a tenant has, where several wait, for one of a tenant with the weight 1. */
export type WeightOf = (tenant: string | undefined) => number;

export const sameWeight: WeightOf = () => 1;

/** By the names of tenants; the others have the weight 1. */
export const weightOfTenants = (weights: ReadonlyMap<string, number>): WeightOf =>
  weights.size === 0 ? sameWeight : (tenant) => (tenant === undefined ? 1 : (weights.get(tenant) ?? 1));
