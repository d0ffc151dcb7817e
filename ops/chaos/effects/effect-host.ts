import { addSystemEventAuditing } from '../../../actors/add-system-events-and-auditing.js';
import { dispatcherFor } from '../../../actors/commands/create-dispatcher.js';
import { effectReceptors } from '../../../actors/commands/effect-receptor.js';
import { addReactions } from '../../../actors/reactions/add-reactions.js';
import { postgresEventStore } from '../../../runtime/service/add-postgres-event-store.js';
import { addService } from '../../../runtime/service/service.js';
import { callsTo, effectsThat } from './effect-commands.js';

/** A host in its own process: its name, the store, the provider, and for how long it claims. */
const [host = '', url = '', provider = '', claimMs = '', beatMs = ''] = process.argv.slice(2);

const effects = effectsThat(callsTo(provider, host));

const service = addService()
  .with(postgresEventStore({ url }, host))
  .with(addSystemEventAuditing((options) => options.enableAll()));
const store = service.parts.unitStore;
if (store !== undefined) {
  const dispatcher = dispatcherFor(service, { store, report: () => undefined });
  dispatcher.register(effectReceptors(effects));
  const claims = { claimMs: Number(claimMs), beatMs: Number(beatMs) };
  service.with(addReactions({ effects }, { dispatcher, host, leaseMs: 2_000, renewMs: 600, claims }));
}
