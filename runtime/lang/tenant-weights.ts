import { log } from '../logging/log.js';

/** How many turns a tenant has, where several wait, for one of a tenant with the weight 1. */
export type WeightOf = (tenant: string | undefined) => number;

/** The highest weight. */
export const mostWeight = 100;

export const sameWeight: WeightOf = () => 1;

/** By the names of tenants, else as the service says; the others have the weight 1. */
export function weightOfTenants(
  weights: ReadonlyMap<string, number>,
  ofService?: (tenant: string) => number,
): WeightOf {
  if (weights.size === 0 && ofService === undefined) return sameWeight;
  return (tenant) =>
    tenant === undefined
      ? 1
      : (weights.get(tenant) ?? (ofService === undefined ? 1 : checked(ofService, tenant)));
}

/** What is not a weight must not stop those who wait. */
function checked(weightOf: (tenant: string) => number, tenant: string): number {
  try {
    const weight = weightOf(tenant);
    if (Number.isInteger(weight) && weight >= 1 && weight <= mostWeight) return weight;
    warnOnce({ tenant, weight });
  } catch (err) {
    warnOnce({ tenant, err });
  }
  return 1;
}

let isWarned = false;

function warnOnce(about: object): void {
  if (!isWarned) log.warn(about, `weightOf must return a whole number from 1 to ${mostWeight}; 1 is taken`);
  isWarned = true;
}
