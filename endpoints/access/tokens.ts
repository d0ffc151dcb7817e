import { createHash, timingSafeEqual } from 'node:crypto';

export interface TokenSettings {
  /** `SVC_INSPECT_TOKEN`. */
  readonly inspect?: string | undefined;
  /** `SVC_OPERATOR_TOKEN`. */
  readonly operator?: string | undefined;
  /** Generated for this start because no operator token was set; it restricts nothing that is open without it. */
  readonly generated?: string | undefined;
}

type Role = 'operator' | 'observer';

/** Recognizes tokens by their digests, compared in constant time. */
export class Tokens {
  /** A token was set explicitly: observing requires it. */
  readonly areSet: boolean;
  /** A token for looking was set: what is open to everybody otherwise requires it, too. */
  readonly mustObserve: boolean;
  readonly #known: readonly (readonly [digest: Buffer, role: Role])[];

  constructor({ inspect, operator, generated }: TokenSettings = {}) {
    this.areSet = inspect !== undefined || operator !== undefined;
    this.mustObserve = inspect !== undefined;
    const operators = [operator, generated].filter((token) => token !== undefined);
    this.#known = [
      ...operators.map((token) => [digestOf(token), 'operator'] as const),
      ...(inspect === undefined ? [] : [[digestOf(inspect), 'observer'] as const]),
    ];
  }

  /** Whether a token allows operator actions. */
  get canOperate(): boolean {
    return this.#known.some(([, role]) => role === 'operator');
  }

  roleOf(token: string | undefined): Role | undefined {
    if (token === undefined) return undefined;
    const given = digestOf(token);
    let found: Role | undefined;
    for (const [digest, role] of this.#known) if (timingSafeEqual(digest, given)) found ??= role;
    return found;
  }
}

const digestOf = (token: string): Buffer => createHash('sha256').update(token).digest();
