import type { AnyPerspective } from '../../contracts/perspective.js';
import { Problem } from '../../contracts/problems.js';
import type { Addition } from '../../runtime/service/service.js';
import { type PerspectivesOptions, RunningPerspectives } from './running-perspectives.js';

type Listed = readonly AnyPerspective[] | { readonly perspectives?: readonly AnyPerspective[] };

/**
 * Runs these perspectives on this host whenever no other host of the store does. A second call adds to the first.
 *
 * @example
 * ```ts
 * const service = addService().with(postgresEventStore({ url }));
 * service.with(addServicePerspectives([new OrderSummaryPerspective()]));
 * ```
 */
export const addServicePerspectives =
  (listed: Listed, options: PerspectivesOptions = {}): Addition =>
  (parts) => {
    const perspectives = 'length' in listed ? listed : (listed.perspectives ?? []);
    if (parts.connection === undefined) {
      throw new Problem('invalid-setup', {
        detail:
          'addServicePerspectives keeps its models in the event store, and no PostgreSQL event store is registered yet; call with(postgresEventStore({ url })) before it.',
      });
    }
    const known = parts.perspectives;
    if (known instanceof RunningPerspectives) return known.add(perspectives);
    const running = new RunningPerspectives(parts, parts.connection, options);
    parts.perspectives = running;
    parts.stops.push(() => running.stop());
    running.add(perspectives);
  };
