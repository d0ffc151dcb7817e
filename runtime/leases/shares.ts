import { isNewer } from '../lang/compare-versions.js';

/** A host that runs followers of the log. */
export interface LiveHost {
  readonly owner: string;
  readonly version: string;
  /** The leases that it could have. */
  readonly names: readonly string[];
}

/** Leases that the same hosts share out. */
export interface LeaseGroup {
  readonly names: readonly string[];
  /** How many of them one host may have. */
  readonly share: number;
}

/** Leases belong to the hosts of the newest version that can run them, in equal shares of each kind. */
export function sharesOf(
  kinds: readonly (readonly string[])[],
  { owner, version }: Pick<LiveHost, 'owner' | 'version'>,
  hosts: readonly LiveHost[],
): readonly LeaseGroup[] {
  const rivals = hosts
    .filter((host) => host.owner !== owner)
    .map((host) => ({ ...host, names: new Set(host.names) }));
  const equals = rivals.filter((host) => !isNewer(version, host.version) && !isNewer(host.version, version));
  const newer = rivals.filter((host) => isNewer(host.version, version));
  const sharersOf = (name: string): number =>
    newer.some((host) => host.names.has(name)) ? 0 : 1 + equals.filter((host) => host.names.has(name)).length;
  return kinds.flatMap((names) => {
    const bySharers = new Map<number, string[]>();
    for (const name of names) {
      const sharers = sharersOf(name);
      bySharers.set(sharers, [...(bySharers.get(sharers) ?? []), name]);
    }
    return [...bySharers].map(([sharers, shared]) => ({
      names: shared,
      share: sharers === 0 ? 0 : Math.ceil(shared.length / sharers),
    }));
  });
}
