import { checkAll, entriesOf, fill, type Fields, type Init, type Values } from './composite-fields.js';
import type { Event } from './message.js';
import type { Fault } from './problems.js';

/** A message class whose members are declared once, as data. */
export interface RecordClass<Base extends Event, F extends Fields> {
  readonly fields: F;
  new (init: Init<F>): Base & Values<F>;
}

/** The base class of a record: `class OrderAudited extends record(SystemEvent, { orderId: uuid }) {}`. */
export function record<Base extends Event, F extends Fields>(
  base: abstract new () => Base,
  fields: F,
): RecordClass<Base, F> {
  const entries = entriesOf(fields);
  class Recorded extends (base as abstract new () => Event) {
    static readonly fields = fields;

    constructor(init: object) {
      super();
      fill(this, entries, init);
    }

    [faults](): readonly Fault[] {
      const found: Fault[] = [];
      checkAll(this, entries, '', found);
      return found;
    }
  }
  return Recorded as unknown as RecordClass<Base, F>;
}

/** Every fault of a record; a message that is not a record has none. */
export const faultsOf = (message: object): readonly Fault[] => (isChecked(message) ? message[faults]() : []);

const faults = Symbol('faults');
interface Checked {
  [faults](): readonly Fault[];
}
const isChecked = (message: object): message is Checked => faults in message;
