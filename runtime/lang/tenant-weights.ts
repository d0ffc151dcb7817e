/** How many turns a tenant has, where several wait, for one of a tenant with the weight 1. */
export type WeightOf = (tenant: string | undefined) => number;

/** The highest weight. */
export const mostWeight = 100;

export const sameWeight: WeightOf = () => 1;

/**
 * By the names of tenants, else as the service says; the others have the weight 1. `report` gets the first answer of the
 * service that is no weight.
 */
export function weightOfTenants(
  weights: ReadonlyMap<string, number>,
  ofService?: (tenant: string) => number,
  report: (fault: object) => void = () => undefined,
): WeightOf {
  if (weights.size === 0 && ofService === undefined) return sameWeight;
  let isReported = false;
  const reportOnce = (fault: object): number => {
    if (!isReported) report(fault);
    isReported = true;
    return 1;
  };
  return (tenant) =>
    tenant === undefined
      ? 1
      : (weights.get(tenant) ?? (ofService === undefined ? 1 : checked(ofService, tenant, reportOnce)));
}

/** What is not a weight must not stop those who wait. */
function checked(
  weightOf: (tenant: string) => number,
  tenant: string,
  reported: (fault: object) => number,
): number {
  try {
    const weight = weightOf(tenant);
    return Number.isInteger(weight) && weight >= 1 && weight <= mostWeight
      ? weight
      : reported({ tenant, weight });
  } catch (err) {
    return reported({ tenant, err });
  }
}
