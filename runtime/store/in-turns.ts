import type { WeightOf } from '../lang/tenant-weights.js';

/** How many are taken at once: of all tenants together, and of one with the weight 1. */
interface TurnLimits {
  readonly count: number;
  readonly each: number;
}

/**
 * Takes some of a list from its tenants in turn, so that one with many does not hold up the others. Those of one tenant
 * keep their order.
 */
export function inTurns<T>(
  list: readonly T[],
  { count, each }: TurnLimits,
  tenantOf: (item: T) => string | undefined,
  weightOf: WeightOf,
): { readonly taken: readonly T[]; readonly rest: readonly T[] } {
  const byTenant = new Map<string | undefined, T[]>();
  for (const item of list) {
    const tenant = tenantOf(item);
    const own = byTenant.get(tenant);
    if (own === undefined) byTenant.set(tenant, [item]);
    else own.push(item);
  }
  const taken = new Set<T>();
  const lines = [...byTenant].map(([tenant, all]) => {
    const weight = weightOf(tenant);
    return { items: all.slice(0, each * weight), weight, at: 0 };
  });
  for (let open = lines; taken.size < count && open.length > 0; open = open.filter(hasMore))
    for (const line of open) {
      const until = Math.min(line.at + line.weight, line.items.length, line.at + count - taken.size);
      for (const item of line.items.slice(line.at, until)) taken.add(item);
      line.at = until;
    }
  return { taken: [...taken], rest: list.filter((item) => !taken.has(item)) };
}

const hasMore = ({ items, at }: { readonly items: readonly unknown[]; readonly at: number }): boolean =>
  at < items.length;
