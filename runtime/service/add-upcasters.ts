import { Problem } from '../../contracts/problems.js';
import type { Upcaster } from '../../contracts/upcaster.js';
import type { Addition } from './service.js';

/**
 * Upcasts stored events of older versions on every read.
 *
 * @example
 * ```ts
 * configure: (service) =>
 *   void service.with(addUpcasters([named])),
 * ```
 */
export const addUpcasters =
  (upcasters: Iterable<Upcaster>): Addition =>
  ({ unitStore }) => {
    if (unitStore?.upcasters === undefined) {
      throw new Problem('invalid-setup', {
        detail:
          'addUpcasters changes what the event store reads, and none is registered yet; call with(postgresEventStore({ url })) before it.',
      });
    }
    unitStore.upcasters.add(upcasters);
  };
