import { masterKeyFrom } from '../../runtime/subjects/master-key.js';
import { readSigningKey, type SigningKey } from '../../runtime/trust/ed25519.js';
import type { Config } from './config.js';

type Environment = Readonly<Record<string, string | undefined>>;
type Keys = Pick<Config, 'masterKey' | 'masterKeyOld' | 'signingKey' | 'signingKeyOld'>;

/** The keys of a host, and those that they replace. */
export const keysOf = (env: Environment, faults: string[]): Keys => ({
  masterKey: masterKeyOf(env, 'SVC_MASTER_KEY', faults),
  masterKeyOld: masterKeyOf(env, 'SVC_MASTER_KEY_OLD', faults),
  signingKey: signingKeyOf(env, 'SVC_SIGNING_KEY', faults),
  signingKeyOld: signingKeyOf(env, 'SVC_SIGNING_KEY_OLD', faults),
});

function signingKeyOf(env: Environment, name: string, faults: string[]): SigningKey | undefined {
  const text = env[name] || undefined;
  const key = text === undefined ? undefined : readSigningKey(text);
  if (text !== undefined && key === undefined)
    faults.push(
      `${name} must be an Ed25519 key: 32 bytes in base64 (openssl rand -base64 32), or PKCS#8 PEM`,
    );
  return key;
}

/** The value is a secret: it is not repeated. */
function masterKeyOf(env: Environment, name: string, faults: string[]): Uint8Array | undefined {
  const text = env[name] || undefined;
  const key = text === undefined ? undefined : masterKeyFrom(text);
  if (text !== undefined && key === undefined)
    faults.push(`${name} must be 32 random bytes in base64, as openssl rand -base64 32 prints them`);
  return key;
}
