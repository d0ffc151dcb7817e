import { openDatabase } from '../../runtime/database/database.js';
import { postgresInbox } from '../../runtime/inbox/postgres-inbox.js';
import { runtimeRole } from '../../runtime/schema/runtime-role.js';
import { natsTransport } from '../../runtime/transport/nats-transport.js';
import { startSubscriber } from '../subscriber/start-subscriber.js';
import { hostLeases } from '../../runtime/testing/leases.js';
import { everything } from '../../runtime/testing/in-memory-outbox.js';

/** A subscriber in its own process. */
const [url = '', owner = '', store = '', nats = ''] = process.argv.slice(2);

const database = openDatabase({ url, role: runtimeRole, applicationName: owner });
startSubscriber(
  {
    inbox: postgresInbox(database, owner),
    leases: hostLeases(database, owner),
    transport: natsTransport({ url: nats, name: owner }),
    filter: everything,
    report: () => undefined,
  },
  { store, types: ['Baked'] },
);
