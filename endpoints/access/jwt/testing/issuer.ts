import { createServer, type ServerResponse } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from 'jose';

type Algorithm = 'RS256' | 'PS256' | 'ES256' | 'EdDSA' | 'RS512' | 'PS384' | 'ES384';
type SigningKey = Awaited<ReturnType<typeof generateKeyPair>>['privateKey'];

/** An issuer of tokens that publishes its keys over HTTP. */
export interface Issuer {
  readonly jwksUrl: string;
  readonly issuer: string;
  readonly audience: string;
  /** How often the keys were asked for. */
  readonly asked: () => number;
  /** The public keys that are published at the moment. */
  readonly published: JWK[];
  /** Adds a key; `publish: false` keeps it from the key set. */
  readonly addKey: (kid: string, algorithm?: Algorithm, publish?: boolean) => Promise<SigningKey>;
  readonly sign: (
    key: SigningKey,
    header: { kid?: string; alg?: string },
    claims?: JWTPayload,
  ) => Promise<string>;
  /** Replaces what is answered; undefined publishes the keys again. */
  answer: ((response: ServerResponse) => void) | undefined;
}

export async function withIssuer(body: (issuer: Issuer) => Promise<void>): Promise<void> {
  let asked = 0;
  const published: JWK[] = [];
  const server = createServer((_, response) => {
    asked++;
    if (made.answer === undefined) response.end(JSON.stringify({ keys: published }));
    else made.answer(response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const made: Issuer = {
    jwksUrl: `${url}/keys`,
    issuer: 'https://login.example/',
    audience: 'orders',
    asked: () => asked,
    published,
    addKey: async (kid, algorithm = 'ES256', publish = true) => {
      const { publicKey, privateKey } = await generateKeyPair(algorithm, { extractable: true });
      if (publish) published.push({ ...(await exportJWK(publicKey)), kid, alg: algorithm, use: 'sig' });
      return privateKey;
    },
    sign: (key, { alg = 'ES256', kid }, claims = {}) =>
      new SignJWT({ iss: made.issuer, aud: made.audience, exp: secondsFromNow(60), sub: 'ada', ...claims })
        .setProtectedHeader({ alg, ...(kid === undefined ? {} : { kid }) })
        .sign(key),
    answer: undefined,
  };
  try {
    await body(made);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

export const secondsFromNow = (seconds: number): number => Math.floor(Date.now() / 1_000) + seconds;
