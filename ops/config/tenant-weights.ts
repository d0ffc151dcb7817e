import { mostWeight } from '../../runtime/lang/tenant-weights.js';

/** The weights of tenants, such as `north=10,south=2`. */
export function tenantWeightsOf(
  env: Readonly<Record<string, string | undefined>>,
  faults: string[],
): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const given of (env['SVC_TENANT_WEIGHTS'] ?? '').split(',').filter((one) => one.trim() !== '')) {
    const equals = given.lastIndexOf('=');
    const tenant = given.slice(0, Math.max(0, equals)).trim();
    const text = given.slice(equals + 1).trim();
    const weight = /^\d{1,3}$/.test(text) ? Number(text) : 0;
    if (tenant === '' || weight < 1 || weight > mostWeight)
      faults.push(
        `SVC_TENANT_WEIGHTS must name tenants with whole numbers from 1 to ${mostWeight}, such as north=10,south=2, not '${given.trim()}'`,
      );
    else weights.set(tenant, weight);
  }
  return weights;
}
