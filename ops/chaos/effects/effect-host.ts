import { addSystemEventAuditing } from '../../../actors/add-system-events-and-auditing.js';
import { dispatcherFor } from '../../../actors/commands/create-dispatcher.js';
import { effectReceptors } from '../../../actors/commands/effect-receptor.js';
import { addReactions } from '../../../actors/reactions/add-reactions.js';
import { postgresEventStore } from '../../../runtime/service/add-postgres-event-store.js';
import { addService } from '../../../runtime/service/service.js';
import { callsTo, effectsThat, tickReceptor } from './effect-commands.js';
import type { HostSettings } from './effect-scene.js';

/** A host in its own process: its name, the store, the provider, and how it differs from the default. */
const [host = '', url = '', provider = '', settings = '{}'] = process.argv.slice(2);
const { effects: changed, ...leases } = JSON.parse(settings) as HostSettings;

const effects = effectsThat(callsTo(provider, host), changed);

const service = addService()
  .with(postgresEventStore({ url }, host))
  .with(addSystemEventAuditing((options) => options.enableAll()));
const store = service.parts.unitStore;
if (store !== undefined) {
  const dispatcher = dispatcherFor(service, { store, report: () => undefined });
  dispatcher.register([...effectReceptors(effects), tickReceptor]);
  service.with(addReactions({ effects }, { dispatcher, host, ...leases }));
}
process.once('SIGTERM', () => void service.stop().finally(() => process.exit(0)));
