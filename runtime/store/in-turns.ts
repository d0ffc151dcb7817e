import type { WeightOf } from '../lang/tenant-weights.js';

/**
 * The first ones of a list are taken from its tenants in turn, so that one with many does not hold up the others. Those
 * of one tenant keep their order.
 */
export function inTurns<T>(
  list: readonly T[],
  count: number,
  tenantOf: (item: T) => string | undefined,
  weightOf: WeightOf,
): readonly T[] {
  const byTenant = new Map<string | undefined, T[]>();
  for (const item of list) {
    const tenant = tenantOf(item);
    const own = byTenant.get(tenant);
    if (own === undefined) byTenant.set(tenant, [item]);
    else own.push(item);
  }
  if (byTenant.size === 1) return list;
  const first = new Set<T>();
  const lines = [...byTenant].map(([tenant, items]) => ({ items, weight: weightOf(tenant), at: 0 }));
  for (let open = lines; first.size < count && open.length > 0; open = open.filter(hasMore))
    for (const line of open) {
      const until = Math.min(line.at + line.weight, line.items.length, line.at + count - first.size);
      for (const item of line.items.slice(line.at, until)) first.add(item);
      line.at = until;
    }
  return [...first, ...list.filter((item) => !first.has(item))];
}

const hasMore = ({ items, at }: { readonly items: readonly unknown[]; readonly at: number }): boolean =>
  at < items.length;
