import { addSystemEventAuditing } from '../../../actors/add-system-events-and-auditing.js';
import { dispatcherFor } from '../../../actors/commands/create-dispatcher.js';
import { effectReceptors } from '../../../actors/commands/effect-receptor.js';
import { Problem } from '../../../contracts/problems.js';
import { findsEffects } from '../../../runtime/effects/known-effect.js';
import { postgresEventStore } from '../../../runtime/service/add-postgres-event-store.js';
import { addService } from '../../../runtime/service/service.js';
import { orderReceptors, printer } from './labels.js';

/** A store with the commands of the bench, audited as by default. */
export async function openLabelStore(url: string) {
  const service = addService()
    .with(postgresEventStore({ url }, 'bench'))
    .with(addSystemEventAuditing((options) => options.enableAudit()));
  const store = service.parts.unitStore;
  if (store === undefined) throw new Problem('unexpected', { detail: 'The service has no store.' });
  const dispatcher = dispatcherFor(service, {
    store,
    effectOf: findsEffects(printer),
    report: () => undefined,
  });
  dispatcher.register([...orderReceptors, ...effectReceptors(printer)]);
  return { service, dispatcher, effects: printer };
}
