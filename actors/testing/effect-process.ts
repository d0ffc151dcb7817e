import type { EffectRegistration } from '../../contracts/effect.js';
import { postgresEventStore } from '../../runtime/service/add-postgres-event-store.js';
import { addService } from '../../runtime/service/service.js';
import { addSystemEventAuditing } from '../add-system-events-and-auditing.js';
import { effectReceptors } from '../commands/effect-receptor.js';
import { dispatcherFor } from '../commands/create-dispatcher.js';
import { addReactions } from '../reactions/add-reactions.js';
import { deadlyStatus, LabelPrinted, PrintLabel } from './label-printing.js';

/** A host in its own process whose effect calls the printer at this address. */
const [url = '', printer = ''] = process.argv.slice(2);

const effects: readonly EffectRegistration[] = [
  {
    command: PrintLabel,
    effect: {
      name: 'printer',
      timeout: 'PT20S',
      retries: { for: 'P1D', first: 'PT0.1S', most: 'PT1S' },
      stream: ({ orderId }: PrintLabel) => orderId,
      call: async ({ orderId }: PrintLabel, { id, signal }) => {
        const answer = await fetch(`${printer}/${id}`, { method: 'POST', signal });
        if (answer.status === deadlyStatus) process.kill(process.pid, 'SIGKILL');
        if (!answer.ok) throw new TypeError(`printer answers ${answer.status}`);
        return LabelPrinted.of({ orderId });
      },
    },
  },
];

const service = addService()
  .with(postgresEventStore({ url }))
  .with(addSystemEventAuditing((options) => options.enableAll()));
const store = service.parts.unitStore;
if (store !== undefined) {
  const dispatcher = dispatcherFor(service, { store, report: () => undefined });
  dispatcher.register(effectReceptors(effects));
  // Tests kill it, and another takes over when its leases have ended.
  service.with(
    addReactions(
      { effects },
      { dispatcher, leaseMs: 2_000, renewMs: 700, claims: { claimMs: 2_000, beatMs: 700 } },
    ),
  );
}
