import { createLocalJWKSet, errors, type JSONWebKeySet, type JWTVerifyGetKey } from 'jose';
import { Problem } from '../../../contracts/problems.js';
import { log } from '../../../runtime/logging/log.js';

interface JwksLimits {
  /** Keys of this age are fetched again in the background. */
  readonly refreshAfterMs: number;
  /** With keys of this age a token waits until they are fetched: after an idle time its key may be withdrawn. */
  readonly waitAfterMs: number;
  /** Keys of this age are no longer trusted when the endpoint cannot be reached. */
  readonly distrustAfterMs: number;
  /** The shortest time between two requests, whatever tokens arrive. */
  readonly intervalMs: number;
  readonly timeoutMs: number;
  readonly maxBytes: number;
}

const defaults: JwksLimits = {
  refreshAfterMs: 600_000,
  waitAfterMs: 1_200_000,
  distrustAfterMs: 3_600_000,
  intervalMs: 5_000,
  timeoutMs: 3_000,
  maxBytes: 262_144,
};

interface KeySet {
  readonly text: string;
  readonly find: JWTVerifyGetKey;
  readonly fetchedAt: number;
}

/** The public keys of an issuer. A key that is not known yet is looked up once per interval: issuers rotate keys. */
export class Jwks {
  readonly #limits: JwksLimits;
  #keys: KeySet | undefined;
  #refreshing: Promise<boolean> | undefined;
  #askedAt = -Infinity;

  constructor(
    private readonly url: string,
    /** Called when the keys are not the same as before. */
    private readonly onChange: () => void,
    limits: Partial<JwksLimits> = {},
  ) {
    this.#limits = { ...defaults, ...limits };
  }

  /** Finds the key that a token names. */
  readonly keyOf: JWTVerifyGetKey = async (header, token) => {
    const { refreshAfterMs, waitAfterMs, distrustAfterMs } = this.#limits;
    if (this.#ageMs() > Math.min(waitAfterMs, distrustAfterMs)) await this.refresh();
    const keys = this.#trusted();
    if (keys === undefined) throw unreachable();
    if (this.#ageMs() > refreshAfterMs) void this.refresh();
    try {
      return await keys.find(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      await this.refresh();
      // Without new keys this fails as before.
      return (this.#trusted() ?? keys).find(header, token);
    }
  };

  /** Fetches the keys, unless that was tried a moment ago; resolves with whether it fetched them, and never rejects. */
  refresh(): Promise<boolean> {
    if (this.#refreshing !== undefined) return this.#refreshing;
    const now = performance.now();
    if (now - this.#askedAt < this.#limits.intervalMs) return Promise.resolve(false);
    this.#askedAt = now;
    this.#refreshing = this.#fetch(now).finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  #trusted(): KeySet | undefined {
    return this.#ageMs() <= this.#limits.distrustAfterMs ? this.#keys : undefined;
  }

  #ageMs(): number {
    return performance.now() - (this.#keys?.fetchedAt ?? -Infinity);
  }

  async #fetch(fetchedAt: number): Promise<boolean> {
    try {
      const text = await fetchText(this.url, this.#limits);
      const before = this.#keys;
      const find = text === before?.text ? before.find : createLocalJWKSet(JSON.parse(text) as JSONWebKeySet);
      this.#keys = { text, find, fetchedAt };
      if (before !== undefined && text !== before.text) this.onChange();
      return true;
    } catch (err) {
      log.warn(
        { err },
        'the keys at SVC_JWT_JWKS_URL could not be fetched; those fetched before stay in use',
      );
      return false;
    }
  }
}

async function fetchText(url: string, { timeoutMs, maxBytes }: JwksLimits): Promise<string> {
  const response = await fetch(url, {
    headers: { accept: 'application/json' },
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
  });
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  // Leaving the loop cancels the rest of the body.
  for await (const chunk of response.body ?? []) {
    bytes += chunk.byteLength;
    if (bytes > maxBytes) break;
    chunks.push(chunk);
  }
  if (response.status !== 200) throw unusable(`The status is ${response.status}.`);
  if (bytes > maxBytes) throw unusable(`The body has more than ${maxBytes} bytes.`);
  return Buffer.concat(chunks).toString('utf8');
}

const unusable = (detail: string): Problem => new Problem('invalid-message', { detail });

const unreachable = (): Problem =>
  new Problem('keys-unavailable', {
    detail: 'Your token cannot be checked at the moment; try again.',
    retryAfter: 5,
  });
