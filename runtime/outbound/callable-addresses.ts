import { BlockList, isIP } from 'node:net';
import { Problem } from '../../contracts/problems.js';

/** Whether an address, as a resolver writes it, may be called. */
export type MayCall = (address: string) => boolean;

/** This network, private, carriers' own, loopback, link-local with metadata, documentation, benchmarks, multicast, reserved. */
const special4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
  // Azure answers with metadata here, although the address is public.
  '168.63.129.16/32',
];
/** All else is loopback, mapped, NAT64, unique-local, link-local or multicast. */
const public6 = ['2000::/3'];
/** Protocols with Teredo, documentation, 6to4. */
const special6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];

/** Public addresses, and private ones or networks that are allowed by name, such as `10.7.0.0/16`. */
export function callableAddresses(allowed: readonly string[]): MayCall {
  // A rule for mapped addresses would match every IPv4 address, so each family has lists of its own.
  const [allowed4, allowed6] = [4, 6].map((family) =>
    listOf(allowed.filter((network) => familyOf(network) === family)),
  );
  return (address) => {
    const family = isIP(address);
    if (family === 4) return allowed4?.check(address) === true || !refused4.check(address);
    if (family !== 6) return false;
    const isPublic = global6.check(address, 'ipv6') && !refused6.check(address, 'ipv6');
    return isPublic || allowed6?.check(address, 'ipv6') === true;
  };
}

function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', prefix] = network.split('/');
    const type = isIP(address) === 4 ? 'ipv4' : 'ipv6';
    if (prefix === undefined) list.addAddress(address, type);
    else list.addSubnet(address, Number(prefix), type);
  }
  return list;
}

function familyOf(network: string): number {
  const [address = '', prefix, ...more] = network.split('/');
  const family = isIP(address);
  const width = family === 4 ? 32 : 128;
  const isPrefix = prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= width);
  if (family !== 0 && isPrefix && more.length === 0) return family;
  throw new Problem('invalid-setup', {
    detail: `'${network.slice(0, 60)}' is not an address or a network; write one such as 10.7.0.0/16.`,
  });
}

const refused4 = listOf(special4);
const global6 = listOf(public6);
const refused6 = listOf(special6);
