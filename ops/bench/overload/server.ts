import { LocalDispatcher } from '../../../actors/commands/dispatcher.js';
import { createHttpServer } from '../../../endpoints/routes/http-server.js';
import { openDatabase } from '../../../runtime/database/database.js';
import { loadService } from '../../service/load-service.js';
import { ordersUnderTest } from '../harness/build-under-test.js';
import { never, noStore } from '../harness/no-store.js';

const answer = { orderId: '018f0000-0000-7000-8000-000000000001', total: '1.00', status: 'created' };

/** Ten connections, 5 ms each: faster requests wait for one. */
function slowDatabase(url: string) {
  const database = openDatabase({ url, connections: 10, applicationName: 'bench' });
  return async () => {
    await database.rows({ text: 'SELECT pg_sleep(0.005)' });
    return answer;
  };
}

/** One millisecond of CPU time. */
function busyProcessor() {
  for (const until = performance.now() + 1; performance.now() < until;);
  return answer;
}

const [kind = '', url = ''] = process.argv.slice(2);
const orders = await loadService(ordersUnderTest());
const dispatcher = new LocalDispatcher({ store: noStore });
const endpoints = orders.create(dispatcher).endpoints.filter(({ restRoute }) => restRoute === '/orders');
const kinds = {
  database: () => slowDatabase(url),
  processor: () => busyProcessor,
  nothing: () => () => answer,
};
const handle = kinds[kind as keyof typeof kinds]();
dispatcher.register(endpoints.map(({ command }) => ({ command, receptor: { handle, mailbox: 100_000 } })));
const ports = { gate: { claim: never }, store: noStore, deadlineMs: 10_000 };
const server = createHttpServer(endpoints, ports, { bodyLimit: 1 << 20 });
const address = await server.listen(0, '127.0.0.1');
process.stdout.write(`${JSON.stringify({ port: Number(new URL(address).port) })}\n`);
