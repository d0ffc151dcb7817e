import { appendFileSync } from 'node:fs';
import type { Publisher } from '../../contracts/transport.js';
import { openDatabase } from '../../runtime/database/database.js';
import { runtimeRole } from '../../runtime/schema/runtime-role.js';
import { postgresOutbox } from '../../runtime/outbox/postgres-outbox.js';
import { natsTransport } from '../../runtime/transport/nats-transport.js';
import { startOutboxRelay } from '../outbox/outbox-relay.js';
import { hostLeases } from '../../runtime/testing/leases.js';
import { everything } from '../../runtime/testing/in-memory-outbox.js';

/** A relay in its own process: to NATS, or one line in a file for every message that "the broker" has received. */
const [url = '', owner = '', file = '', leaseMs = '4000', nats = ''] = process.argv.slice(2);

const lines: Publisher = {
  ping: () => Promise.resolve(),
  publish: ({ envelope }) => {
    const { globalPosition, streamId, streamPosition } = envelope;
    appendFileSync(file, `${globalPosition} ${streamId} ${streamPosition}\n`);
    // The broker has the message; its acknowledgement takes a while.
    return new Promise((resolve) => setTimeout(resolve, 2));
  },
};

const database = openDatabase({ url, role: runtimeRole, applicationName: owner });
startOutboxRelay(
  {
    outbox: postgresOutbox(database, owner, owner),
    transport: nats === '' ? lines : natsTransport({ url: nats, name: owner }),
    filter: everything,
    report: () => undefined,
    leases: hostLeases(database, owner, Number(leaseMs)),
  },
  { inFlight: 16, pageSize: 50 },
);
