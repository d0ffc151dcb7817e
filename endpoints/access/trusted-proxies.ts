import type { IncomingHttpHeaders } from 'node:http';
import { BlockList, isIP, isIPv6 } from 'node:net';

interface Connected {
  readonly headers: IncomingHttpHeaders;
  readonly socket: { readonly remoteAddress?: string | undefined; readonly encrypted?: boolean };
}

/** The proxies in front. What they write about the address of a client is trusted; what others write is not. */
export class TrustedProxies {
  readonly #trusted = new BlockList();
  readonly areSet: boolean;

  /** Addresses and networks such as `10.0.0.0/8`. */
  constructor(entries: readonly string[] = []) {
    this.areSet = entries.length > 0;
    for (const entry of entries) {
      const [address = '', bits] = entry.split('/');
      if (bits === undefined) this.#trusted.addAddress(address, familyOf(address));
      else this.#trusted.addSubnet(address, Number(bits), familyOf(address));
    }
  }

  /** The address of the client: the last one that is not a trusted proxy. */
  addressOf({ headers, socket: { remoteAddress = '' } }: Connected): string {
    const own = withoutMapping(remoteAddress);
    if (!this.#trusts(own)) return own;
    const written = [listOf(headers['x-forwarded-for']), forwardedIn(headers.forwarded)]
      .filter((hops) => hops.length > 0)
      .map((hops) => this.#clientIn(hops, own));
    // A proxy writes one of the two headers and may pass on the other one as the client sent it.
    return new Set(written).size === 1 ? (written[0] ?? own) : own;
  }

  /** Whether the client's connection is encrypted, at the latest by a trusted proxy. */
  isEncrypted({ headers, socket }: Connected): boolean {
    if (socket.encrypted === true) return true;
    if (!this.areSet || !this.#trusts(withoutMapping(socket.remoteAddress ?? ''))) return false;
    return listOf(headers['x-forwarded-proto']).at(-1)?.trim() === 'https';
  }

  #clientIn(hops: readonly string[], own: string): string {
    let client = own;
    for (const hop of hops.toReversed()) {
      const address = addressIn(hop);
      if (address === undefined) return client;
      client = address;
      if (!this.#trusts(address)) return client;
    }
    return client;
  }

  #trusts(address: string): boolean {
    return this.areSet && isIP(address) !== 0 && this.#trusted.check(address, familyOf(address));
  }
}

/** Whether a text names a proxy: an address, or a network with the length of its prefix. */
export function isProxyEntry(text: string): boolean {
  const [address = '', bits, ...more] = text.split('/');
  if (isIP(address) === 0 || more.length > 0) return false;
  return bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (isIPv6(address) ? 128 : 32));
}

/** One client may hold a whole /64 of IPv6 addresses. */
export function networkOf(address: string): string {
  if (!isIPv6(address)) return address;
  const [start = '', end] = address.split('::');
  const groups = start === '' ? [] : start.split(':');
  const missing = end === undefined ? 0 : 8 - groups.length - (end === '' ? 0 : end.split(':').length);
  return `${[...groups, ...Array.from({ length: missing }, () => '0')].slice(0, 4).join(':')}::/64`;
}

const familyOf = (address: string): 'ipv4' | 'ipv6' => (isIPv6(address) ? 'ipv6' : 'ipv4');

/** Node.js writes an IPv4 address of an IPv6 socket in this form. */
const withoutMapping = (address: string): string =>
  address.startsWith('::ffff:') && address.includes('.') ? address.slice('::ffff:'.length) : address;

const listOf = (value: string | readonly string[] | undefined): readonly string[] =>
  value === undefined ? [] : String(value).split(',');

/** The `for` parameters of a `Forwarded` header (RFC 7239). */
const forwardedIn = (value: string | undefined): readonly string[] =>
  listOf(value).map((element) => {
    const pair = element.split(';').find((part) => part.trim().toLowerCase().startsWith('for='));
    return pair === undefined ? '' : pair.slice(pair.indexOf('=') + 1).replaceAll('"', '');
  });

/** The address in a hop, which may have a port. */
function addressIn(hop: string): string | undefined {
  const text = hop.trim();
  const bracketed = text.startsWith('[') ? text.slice(1, text.indexOf(']')) : text;
  const address = isIP(bracketed) === 0 ? bracketed.slice(0, bracketed.lastIndexOf(':')) : bracketed;
  return isIP(address) === 0 ? undefined : withoutMapping(address);
}
