import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { callbackify } from 'node:util';

/** All addresses of a name. */
export type ResolveAll = (
  hostname: string,
  options: { readonly all: true },
  callback: (error: Error | null, addresses: LookupAddress[]) => void,
) => void;

/** So that a server that never answers costs a call, and no other call. */
const limits = { timeout: 2_000, tries: 1 };

const loopback: LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

/**
 * Asks the name servers of the system. `dns.lookup` would wait in one of a few threads, which all lookups, files and
 * hashes of the process share: names whose servers are silent could hold them all.
 */
export function nameResolver(resolver: Resolver = new Resolver(limits)): ResolveAll {
  const find = callbackify((hostname: string) => addressesOf(resolver, hostname));
  return (hostname, _, callback) => find(hostname, callback);
}

async function addressesOf(resolver: Resolver, hostname: string): Promise<LookupAddress[]> {
  if (/^(?:.*\.)?localhost\.?$/i.test(hostname)) return loopback;
  const [v4, v6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  const found = [...listed(v4, 4), ...listed(v6, 6)];
  if (found.length === 0 && v4.status === 'rejected') throw v4.reason;
  return found;
}

/** Many names have addresses of one family alone. */
const listed = (answer: PromiseSettledResult<string[]>, family: 4 | 6): LookupAddress[] =>
  answer.status === 'rejected' ? [] : answer.value.map((address) => ({ address, family }));
