import type { JwtSettings } from '../../endpoints/access/jwt/jwt.js';
import { isLoopbackHost } from '../../endpoints/access/local-requests.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** A shorter key could be guessed from one token (RFC 7518, 3.2). */
const minSecretBytes = 32;

/** A token that an operator sends; no value is repeated in a fault. */
export function operatorSecretOf(env: Environment, name: string, faults: string[]): string | undefined {
  const secret = env[name] || undefined;
  if (secret !== undefined && Buffer.byteLength(secret) < minSecretBytes)
    faults.push(`${name} must have at least ${minSecretBytes} bytes, such as from openssl rand -hex 24`);
  return secret;
}

/** How tokens are verified; undefined when a setting is missing or wrong. No value is repeated in a fault. */
export function jwtSettingsOf(env: Environment, faults: string[]): JwtSettings | undefined {
  const secret = env['SVC_JWT_SECRET'] || undefined;
  const jwksUrl = env['SVC_JWT_JWKS_URL'] || undefined;
  const issuer = env['SVC_JWT_ISSUER'] || undefined;
  const audience = env['SVC_JWT_AUDIENCE'] || undefined;
  const before = faults.length;
  if ((secret === undefined) === (jwksUrl === undefined))
    faults.push('SVC_AUTH=jwt needs either SVC_JWT_SECRET, a shared key for HS256, or SVC_JWT_JWKS_URL');
  if (secret !== undefined && Buffer.byteLength(secret) < minSecretBytes)
    faults.push(`SVC_JWT_SECRET must have at least ${minSecretBytes} bytes`);
  if (jwksUrl !== undefined && !isSafeUrl(jwksUrl))
    faults.push(
      'SVC_JWT_JWKS_URL must be an https URL such as https://login.example/.well-known/jwks.json (http for this machine only)',
    );
  // An issuer signs tokens for many services with the same keys.
  if (jwksUrl !== undefined && (issuer === undefined || audience === undefined))
    faults.push('SVC_JWT_JWKS_URL needs SVC_JWT_ISSUER and SVC_JWT_AUDIENCE');
  if (faults.length > before) return undefined;
  if (secret !== undefined) return { key: { secret }, issuer, audience };
  return { key: { jwksUrl: jwksUrl ?? '' }, issuer, audience };
}

/** Who sets a key for tokens expects them to be checked. */
export function refuseUnusedJwt(env: Environment, faults: string[]): void {
  const names = ['SVC_JWT_SECRET', 'SVC_JWT_JWKS_URL', 'SVC_JWT_ISSUER', 'SVC_JWT_AUDIENCE'];
  const set = names.filter((name) => (env[name] ?? '') !== '');
  if (set.length > 0)
    faults.push(
      `${set.join(', ')} would have no effect: set SVC_AUTH=jwt, or unset ${set.length > 1 ? 'them' : 'it'}`,
    );
}

function isSafeUrl(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, hostname, username, password } = new URL(text);
  if (username !== '' || password !== '') return false;
  return protocol === 'https:' || (protocol === 'http:' && isLoopbackHost(hostname));
}
