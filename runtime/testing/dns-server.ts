import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns';
import { once } from 'node:events';
import type { ResolveAll } from '../outbound/resolve-names.js';

interface DnsServer {
  /** The IPv4 addresses of every name. */
  addresses: readonly string[];
  /** How often it was asked. */
  readonly asked: number;
  readonly port: number;
  readonly lookup: ResolveAll;
  close(): void;
}

/** A real server for names on the loopback interface, whose answer can change. */
export async function startDnsServer(addresses: readonly string[]): Promise<DnsServer> {
  const socket = createSocket('udp4');
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  const { port: own } = socket.address();
  let asked = 0;
  const server: DnsServer = {
    addresses,
    port: own,
    get asked() {
      return asked;
    },
    lookup: (hostname, _, callback) =>
      resolver.resolve4(hostname, (error, found) =>
        callback(error, error === null ? found.map((address) => ({ address, family: 4 })) : []),
      ),
    close: () => socket.close(),
  };
  socket.on('message', (query, { port, address }) => {
    asked++;
    socket.send(answerTo(query, server.addresses), port, address);
  });
  const resolver = new Resolver({ timeout: 1_000, tries: 3 });
  resolver.setServers([`127.0.0.1:${own}`]);
  return server;
}

/** The question again, then one record of type A for each address, valid for no time. */
function answerTo(query: Buffer, addresses: readonly string[]): Buffer {
  const headerBytes = 12;
  const end = query.indexOf(0, headerBytes) + 5;
  const head = Buffer.from(query.subarray(0, end));
  head.writeUInt16BE(0x8180, 2);
  head.writeUInt16BE(addresses.length, 6);
  head.writeUInt16BE(0, 8);
  head.writeUInt16BE(0, 10);
  const records = addresses.map((address) =>
    Buffer.from([0xc0, headerBytes, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...address.split('.').map(Number)]),
  );
  return Buffer.concat([head, ...records]);
}
