import { type MessageType, typeNameOf, versionOf } from './message.js';
import { Problem } from './problems.js';
import type { Sealing } from './sealing.js';

/**
 * Converts the payload of one message type from one version of its contract to the next.
 *
 * @example
 * ```ts
 * const named: Upcaster = { type: CustomerRegistered, from: 1, up: (old) => ({ ...(old as Old), name: '' }) };
 * service.with(addUpcasters([named]));
 * ```
 */
export interface Upcaster {
  readonly type: MessageType;
  /** The version it reads; it produces the next one. */
  readonly from: number;
  up(payload: unknown): unknown;
}

export interface MissingUpcasters {
  readonly type: string;
  readonly version: number;
  readonly from: readonly number[];
}

interface Versioned {
  readonly messageType: string;
  readonly payload: unknown;
  readonly v: number;
}

/**
 * The upcasters of a store: every event that is read has the newest known version.
 *
 * @example
 * ```ts
 * const upcasters = new Upcasters();
 * upcasters.add([named]);
 * ```
 */
export class Upcasters {
  /** Opens sealed values before upcasters see them; set where events have some. */
  sealing: Sealing | undefined;
  readonly #steps = new Map<string, Map<number, Upcaster>>();
  readonly #newest = new Map<string, number>();

  add(upcasters: Iterable<Upcaster>): void {
    for (const upcaster of upcasters) {
      const name = typeNameOf(upcaster.type);
      if (!Number.isSafeInteger(upcaster.from) || upcaster.from < 1)
        throw invalid(`The upcaster of ${name} takes version ${upcaster.from}; versions count from 1.`);
      const steps = this.#steps.get(name) ?? new Map<number, Upcaster>();
      if (steps.has(upcaster.from))
        throw invalid(`${name} has two upcasters from version ${upcaster.from}; keep one.`);
      this.#steps.set(name, steps.set(upcaster.from, upcaster));
      this.#raiseNewest(name, upcaster.from + 1);
      if (typeof upcaster.type !== 'string') this.#raiseNewest(name, versionOf(upcaster.type));
    }
  }

  /** Registers the current versions of the service's classes. */
  registerVersions(types: Iterable<Exclude<MessageType, string>>): void {
    for (const type of types) this.#raiseNewest(type.name, versionOf(type));
  }

  /** Types that lack an upcaster from some earlier version: events stored in that version cannot be read. */
  get missing(): readonly MissingUpcasters[] {
    return [...this.#newest].flatMap(([type, version]) => {
      const earlier = Array.from({ length: version - 1 }, (_, index) => index + 1);
      const from = earlier.filter((one) => this.#steps.get(type)?.has(one) !== true);
      return from.length === 0 ? [] : [{ type, version, from }];
    });
  }

  /** Whether events of these types may be stored in an older version, or with sealed values. */
  mayApply(types: readonly string[]): boolean {
    return types.some((type) => this.#newest.has(type) || this.sealing?.has(type) === true);
  }

  /** Leaves newer versions unchanged: a newer host wrote them. */
  apply<T extends Versioned>(message: T): T {
    const newest = this.#newest.get(message.messageType) ?? 1;
    if (message.v >= newest) return message;
    let { payload } = message;
    for (let v = message.v; v < newest; v++) payload = this.#step(message, v).up(payload);
    return { ...message, payload, v: newest };
  }

  #step({ messageType, v: stored }: Versioned, from: number): Upcaster {
    const step = this.#steps.get(messageType)?.get(from);
    if (step !== undefined) return step;
    throw new Problem('missing-upcaster', {
      detail: `${messageType} is stored in version ${stored}, and no upcaster leads from version ${from} to ${from + 1}; register it with addUpcasters([{ type: ${messageType}, from: ${from}, up }]).`,
    });
  }

  #raiseNewest(name: string, version: number): void {
    if (version > (this.#newest.get(name) ?? 1)) this.#newest.set(name, version);
  }
}

const invalid = (detail: string): Problem => new Problem('invalid-setup', { detail });
