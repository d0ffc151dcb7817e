import { createSecretKey, hash } from 'node:crypto';
import { errors, type JWTPayload, jwtVerify } from 'jose';
import type { Authenticate, Identity } from '../../../contracts/identity.js';
import { Problem } from '../../../contracts/problems.js';
import { refusalReasonOf, unauthenticated } from '../../../runtime/access/access-guard.js';
import { Lru } from '../../../runtime/lang/lru.js';
import { bearerOf } from '../credentials.js';
import { type ClaimNames, identityOfClaims } from './claims.js';
import { Jwks } from './jwks.js';
import { jwtFaultOf } from './jwt-faults.js';

export interface JwtSettings {
  /** The shared key of HS256, or where the issuer publishes its keys. */
  readonly key: { readonly secret: string } | { readonly jwksUrl: string };
  readonly issuer?: string | undefined;
  readonly audience?: string | undefined;
}

interface JwtOptions {
  readonly claims?: ClaimNames | undefined;
  readonly now?: () => number;
  readonly jwks?: ConstructorParameters<typeof Jwks>[2];
}

/** The algorithm never comes from the token: a public key must not serve as a shared secret. */
const publicAlgorithms = ['RS256', 'PS256', 'ES256', 'EdDSA'];
const maxCharacters = 8_192;
const toleranceSeconds = 5;
const rememberMs = 300_000;
const maxRemembered = 10_000;

type Verify = (token: string, options: VerifyOptions) => Promise<{ readonly payload: JWTPayload }>;
type VerifyOptions = NonNullable<Parameters<typeof jwtVerify>[2]>;

interface Remembered {
  readonly identity: Identity;
  readonly until: number;
}

/** Authenticates callers by a JWT in `Authorization: Bearer`; a token that was verified before needs no promise. */
export function jwtAuthenticator(settings: JwtSettings, options: JwtOptions = {}): Authenticate {
  const { now = Date.now, claims: names, jwks } = options;
  const underWay = new Map<string, Promise<Identity>>();
  let remembered = newMemory();
  // A token whose key was withdrawn must not stay valid because it was seen before.
  const verify = verifierOf(settings.key, () => (remembered = newMemory()), jwks);
  const source = sourceOf(settings);
  const establish = async (token: string, digest: string): Promise<Identity> => {
    const memory = remembered;
    try {
      const claims = await claimsOf(token, verify, settings, now());
      const identity = identityOfClaims(claims, source, names);
      memory.set(digest, { identity, until: Math.min((claims.exp ?? 0) * 1_000, now() + rememberMs) });
      return identity;
    } catch (error) {
      throw refusalFor(error);
    }
  };
  return ({ headers }) => {
    const token = bearerOf(headers);
    // API keys are tokens, too, but not ours.
    if (token === undefined || token.startsWith('svc_')) return null;
    if (token.length > maxCharacters) throw unauthenticated('The token is too long.');
    const digest = hash('sha256', token, 'base64');
    const known = remembered.get(digest);
    if (known !== undefined && known.until > now()) return known.identity;
    const shared = underWay.get(digest) ?? establish(token, digest).finally(() => underWay.delete(digest));
    underWay.set(digest, shared);
    return shared;
  };
}

const newMemory = (): Lru<Remembered> => new Lru(maxRemembered, Infinity);

function verifierOf(key: JwtSettings['key'], onChange: () => void, limits: JwtOptions['jwks']): Verify {
  if ('secret' in key) {
    const secret = createSecretKey(key.secret, 'utf8');
    return (token, options) => jwtVerify(token, secret, { ...options, algorithms: ['HS256'] });
  }
  const jwks = new Jwks(key.jwksUrl, onChange, limits);
  // The first caller need not wait for it.
  void jwks.refresh();
  return (token, options) => jwtVerify(token, jwks.keyOf, { ...options, algorithms: publicAlgorithms });
}

async function claimsOf(
  token: string,
  verify: Verify,
  { issuer, audience }: JwtSettings,
  now: number,
): Promise<JWTPayload> {
  const { payload } = await verify(token, {
    ...(issuer === undefined ? {} : { issuer }),
    ...(audience === undefined ? {} : { audience }),
    requiredClaims: ['exp'],
    clockTolerance: toleranceSeconds,
    currentDate: new Date(now),
  });
  if ((payload.iat ?? 0) * 1_000 <= now + toleranceSeconds * 1_000) return payload;
  throw unauthenticated('The token was issued in the future.');
}

function refusalFor(error: unknown): Problem {
  if (error instanceof errors.JOSEError) return unauthenticated(jwtFaultOf(error));
  if (!(error instanceof Problem)) return unauthenticated('The token cannot be verified with its key.');
  if (error.code !== 'unauthenticated') return error;
  return unauthenticated(refusalReasonOf(error) ?? 'A claim of the token is not valid.');
}

function sourceOf({ issuer }: JwtSettings): string {
  const host = issuer !== undefined && URL.canParse(issuer) ? new URL(issuer).host : '';
  return host === '' ? 'jwt' : `jwt:${host}`;
}
