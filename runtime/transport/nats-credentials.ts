import { readFile } from 'node:fs/promises';
import { type ConnectionOptions, credsAuthenticator, nkeyAuthenticator, type TlsOptions } from 'nats';
import { Problem } from '../../contracts/problems.js';

/** How this host proves to the broker who it is; files are named by their path. */
export interface NatsCredentials {
  readonly user?: string | undefined;
  readonly password?: string | undefined;
  readonly token?: string | undefined;
  /** A JWT and its seed, as `nsc` writes them. */
  readonly credsFile?: string | undefined;
  /** The seed of an nkey. */
  readonly nkeyFile?: string | undefined;
  /** The authority that signed the broker's certificate. */
  readonly tlsCa?: string | undefined;
  /** The certificate and key of this host, for a broker that verifies its clients. */
  readonly tlsCert?: string | undefined;
  readonly tlsKey?: string | undefined;
}

type Proof = Pick<ConnectionOptions, 'authenticator' | 'user' | 'pass' | 'token' | 'tls'>;

/** Read for every connection: a credential that was replaced needs no restart. */
export async function proofOf(credentials: NatsCredentials, isTls: boolean): Promise<Proof> {
  const tls = await tlsOf(credentials);
  return {
    ...(await identityOf(credentials)),
    ...(isTls || Object.keys(tls).length > 0 ? { tls } : {}),
  };
}

async function identityOf({ user, password, token, credsFile, nkeyFile }: NatsCredentials): Promise<Proof> {
  if (credsFile !== undefined)
    return { authenticator: credsAuthenticator(await contentOf('NATS_CREDS', credsFile)) };
  if (nkeyFile !== undefined) {
    const seed = Buffer.from(await contentOf('NATS_NKEY', nkeyFile)).toString('utf8');
    return { authenticator: nkeyAuthenticator(Buffer.from(seed.trim())) };
  }
  if (user !== undefined) return { user, pass: password ?? '' };
  return token === undefined ? {} : { token };
}

async function tlsOf({ tlsCa, tlsCert, tlsKey }: NatsCredentials): Promise<TlsOptions> {
  const [ca, cert, key] = await Promise.all([
    tlsCa === undefined ? undefined : contentOf('NATS_TLS_CA', tlsCa),
    tlsCert === undefined ? undefined : contentOf('NATS_TLS_CERT', tlsCert),
    tlsKey === undefined ? undefined : contentOf('NATS_TLS_KEY', tlsKey),
  ]);
  const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('utf8');
  return {
    ...(ca === undefined ? {} : { ca: text(ca) }),
    ...(cert === undefined ? {} : { cert: text(cert) }),
    ...(key === undefined ? {} : { key: text(key) }),
  };
}

async function contentOf(name: string, path: string): Promise<Uint8Array> {
  try {
    return await readFile(path);
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    throw new Problem('invalid-setup', { detail: `${name} names a file that cannot be read (${code})` });
  }
}
