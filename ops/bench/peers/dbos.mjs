import { once } from 'node:events';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { DBOS } from '@dbos-inc/dbos-sdk';
import { Pool } from 'pg';

// Workflows of DBOS behind the HTTP server of Node.js. It returns the times it has taken when asked.
const [port, url] = process.argv.slice(2);
const pool = new Pool({ connectionString: url });
const times = [];

// Without a unique key, so that a step which ran twice can be counted.
const store = ({ orderId, note }) =>
  pool.query('INSERT INTO orders(id, note) VALUES ($1, $2)', [orderId, note]);

async function place(order) {
  await DBOS.runStep(() => store(order), { name: 'store' });
  return { orderId: order.orderId };
}

// The time until then is part of what is recorded when it first sleeps.
async function remind(due) {
  await DBOS.sleep(due - Date.now());
  times.push(Date.now() - due);
}

async function fulfil(orderId, began) {
  await DBOS.runStep(async () => `${orderId} reserved`, { name: 'reserve' });
  await DBOS.runStep(async () => `${orderId} charged`, { name: 'charge' });
  await DBOS.runStep(
    async () => {
      times.push(Date.now() - began);
      return `${orderId} shipped`;
    },
    { name: 'ship' },
  );
}

const placing = DBOS.registerWorkflow(place);
const reminding = DBOS.registerWorkflow(remind);
const fulfilling = DBOS.registerWorkflow(fulfil);

const answers = {
  '/orders': async (workflowID, order) =>
    (await DBOS.startWorkflow(placing, { workflowID })(order)).getResult(),
  '/reminders': async (workflowID, { due }) => {
    await DBOS.startWorkflow(reminding, { workflowID })(due);
    return {};
  },
  '/fulfilments': async (workflowID, { orderId, began }) => {
    await DBOS.startWorkflow(fulfilling, { workflowID })(orderId, began);
    return {};
  },
};

async function answer(request, response) {
  const body = await json(request);
  const text = JSON.stringify(await answers[request.url](request.headers['idempotency-key'], body));
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) });
  response.end(text);
}

await pool.query('CREATE TABLE IF NOT EXISTS orders(id uuid NOT NULL, note text NOT NULL)');
DBOS.setConfig({ name: 'bench', systemDatabaseUrl: url, runAdminServer: false, logLevel: 'error' });
await DBOS.launch();
const server = createServer((request, response) => {
  answer(request, response).catch((error) => {
    process.stderr.write(`${error}\n`);
    response.writeHead(500, { 'content-length': 0 }).end();
  });
});
await once(server.listen(Number(port), '127.0.0.1'), 'listening');
process.on('message', () => process.send(times.splice(0)));
process.send('ready');
