import { masterKeyFrom } from '../../runtime/subjects/master-key.js';
import { readSigningKey, type SigningKey } from '../../runtime/trust/ed25519.js';

type Environment = Readonly<Record<string, string | undefined>>;

export interface HostKeys {
  /** Wraps the keys of subjects; unset: no event may have sealed fields. */
  readonly masterKey?: Uint8Array | undefined;
  /** Still unwraps the keys of subjects while the master key is replaced. */
  readonly masterKeyOld?: Uint8Array | undefined;
  /** Signs the heads of the chain; unset: the key that the store keeps. */
  readonly signingKey: SigningKey | undefined;
  /** Signs until the store has the new key. */
  readonly signingKeyOld?: SigningKey | undefined;
}

/** The keys of a host, and those that they replace. */
export const keysOf = (env: Environment, faults: string[]): HostKeys => ({
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
