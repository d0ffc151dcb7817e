import type { WeightOf } from '../lang/tenant-weights.js';

/** How many are taken at once: of all tenants together, and of one with the weight 1. */
interface TurnLimits {
  readonly count: number;
  readonly each: number;
  /** Only those of tenants that have no more than this. */
  readonly few?: number | undefined;
}

interface Turns<T> {
  readonly taken: readonly T[];
  readonly rest: readonly T[];
}

/**
 * Takes some of a list from its tenants in turn, so that one with many does not hold up the others. What is taken, and
 * what is left, keeps its order.
 */
export function inTurns<T>(
  list: readonly T[],
  { count, each, few = Infinity }: TurnLimits,
  tenantOf: (item: T) => string | undefined,
  weightOf: WeightOf,
): Turns<T> {
  const lines = [...byTenant(list, tenantOf)].flatMap(([tenant, all]) => {
    const weight = weightOf(tenant);
    return all.length > few * weight ? [] : [{ items: all.slice(0, each * weight), weight, at: 0 }];
  });
  const taken = new Set<T>();
  for (let open = lines; taken.size < count && open.length > 0; open = open.filter(hasMore))
    for (const line of open) {
      const until = Math.min(line.at + line.weight, line.items.length, line.at + count - taken.size);
      for (const item of line.items.slice(line.at, until)) taken.add(item);
      line.at = until;
    }
  return { taken: list.filter((item) => taken.has(item)), rest: list.filter((item) => !taken.has(item)) };
}

export function byTenant<T>(
  list: readonly T[],
  tenantOf: (item: T) => string | undefined,
): ReadonlyMap<string | undefined, readonly T[]> {
  const found = new Map<string | undefined, T[]>();
  for (const item of list) {
    const tenant = tenantOf(item);
    const own = found.get(tenant);
    if (own === undefined) found.set(tenant, [item]);
    else own.push(item);
  }
  return found;
}

const hasMore = ({ items, at }: { readonly items: readonly unknown[]; readonly at: number }): boolean =>
  at < items.length;
