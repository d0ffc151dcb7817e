import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { withFolder } from '../kit/temporary-folder.js';
import { program } from './installed-program.js';

export interface HttpsServer {
  readonly port: number;
  /** Of `localhost` and `hooks.example`. */
  readonly url: string;
  /** Its certificate as PEM, which is its own authority. */
  readonly authority: string;
  close(): Promise<void>;
}

/** A real https server on the loopback interface. */
export async function startHttpsServer(answer: RequestListener): Promise<HttpsServer> {
  const { key, cert } = await (certificate ??= makeCertificate());
  const server = createServer({ key, cert }, answer);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `https://localhost:${port}/`,
    authority: cert,
    close: async () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

let certificate: ReturnType<typeof makeCertificate> | undefined;

async function makeCertificate(): Promise<{ readonly key: string; readonly cert: string }> {
  let made = { key: '', cert: '' };
  await withFolder(async (folder) => {
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    const names = 'subjectAltName=DNS:localhost,DNS:hooks.example,IP:127.0.0.1';
    const kind = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
    const subject = ['-subj', '/CN=localhost', '-addext', names];
    const openssl = await program('openssl');
    await promisify(execFile)(openssl, ['req', '-x509', ...kind, ...subject, '-keyout', key, '-out', cert]);
    made = { key: await readFile(key, 'utf8'), cert: await readFile(cert, 'utf8') };
  });
  return made;
}
