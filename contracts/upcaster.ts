import { type MessageType, typeNameOf, versionOf } from './message.js';
import { Problem } from './problems.js';

/** Brings the payload of one message type from one version of its contract to the next. */
export interface Upcaster {
  readonly type: MessageType;
  /** The version it takes; it gives the one after. */
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

/** The upcasters of a store: whatever is read has the newest version known. */
export class Upcasters {
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

  /** Makes known which version the classes of the application have now. */
  know(types: Iterable<Exclude<MessageType, string>>): void {
    for (const type of types) this.#raiseNewest(type.name, versionOf(type));
  }

  /** Types of which nothing brings some earlier versions on: events stored in those cannot be read. */
  get missing(): readonly MissingUpcasters[] {
    return [...this.#newest].flatMap(([type, version]) => {
      const earlier = Array.from({ length: version - 1 }, (_, index) => index + 1);
      const from = earlier.filter((one) => this.#steps.get(type)?.has(one) !== true);
      return from.length === 0 ? [] : [{ type, version, from }];
    });
  }

  /** Whether an event of these types may be stored in an older version. */
  change(types: readonly string[]): boolean {
    return types.some((type) => this.#newest.has(type));
  }

  /** What is newer than we know is left as it is: a newer host wrote it. */
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
      detail: `${messageType} is stored in version ${stored}, and nothing brings it from version ${from} to ${from + 1}; register it with addUpcasters([{ type: ${messageType}, from: ${from}, up }]).`,
    });
  }

  #raiseNewest(name: string, version: number): void {
    if (version > (this.#newest.get(name) ?? 1)) this.#newest.set(name, version);
  }
}

const invalid = (detail: string): Problem => new Problem('invalid-setup', { detail });
