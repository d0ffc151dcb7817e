import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { fileURLToPath } from 'node:url';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { jsonOf, post } from '../../endpoints/testing/http-client.js';
import { builtForProcess } from '../../runtime/testing/process-root.js';
import { operatorTools } from '../agents/operator-tools.js';
import { withReadOnlyDatabaseOf } from '../cli/database.js';
import { readConfig } from '../config/config.js';
import { withHost } from '../testing/authenticated-host.js';
import { anOrder } from '../testing/order-load.js';

const test = suite('svc mcp');

const cli = fileURLToPath(builtForProcess(new URL('../cli.js', import.meta.url)));

interface Answer {
  readonly status: string;
  readonly result?: { readonly rows: readonly Readonly<Record<string, unknown>>[] };
  readonly problem?: { readonly code: string };
}

type Ask = (name: string, args?: Record<string, unknown>) => Promise<Answer>;

/** The official client over pipes, as a coding agent starts the program. */
async function withAgent(
  databaseUrl: string,
  args: readonly string[],
  body: (ask: Ask, client: Client) => Promise<void>,
) {
  const env = { ...process.env, DATABASE_URL: databaseUrl, SVC_LOG: 'silent' } as Record<string, string>;
  const transport = new StdioClientTransport({ command: process.execPath, args: [cli, 'mcp', ...args], env });
  const client = new Client({ name: 'on-call', version: '1' });
  await client.connect(transport);
  try {
    const ask: Ask = async (name, given = {}) => {
      const answer = await client.callTool({ name, arguments: given });
      return answer['structuredContent'] as Answer;
    };
    await body(ask, client);
  } finally {
    await client.close();
  }
}

const order = async (url: string, correlationId: string): Promise<string> => {
  const headers = { 'x-correlation-id': correlationId };
  return (jsonOf(await post(url, anOrder, { path: '/orders', headers })) as { orderId: string }).orderId;
};

const rowsIn = ({ result }: Answer) => result?.rows ?? [];
const typesIn = (answer: Answer) => rowsIn(answer).map(({ eventType, type }) => eventType ?? type);

test('an agent asks what a request led to, over the official client', () =>
  withHost({}, async ({ url, databaseUrl }) => {
    const correlationId = newUuid();
    const orderId = await order(url, correlationId);
    await withAgent(databaseUrl, [], async (ask, client) => {
      const { tools } = await client.listTools();
      assert.equal(tools.map(({ name }) => name).toSorted(), Object.keys(operatorTools).toSorted());
      assert.ok(tools.every(({ annotations }) => annotations?.readOnlyHint));
      assert.equal(typesIn(await ask('streams_read', { streamId: orderId })).slice(0, 1), ['OrderCreated']);
      const caused = await ask('causation_tree', { correlationId });
      assert.equal(typesIn(caused).slice(0, 2), ['OrderCreated', 'CommandAudited']);
      const found = await ask('requests_find', { command: 'CreateOrder', correlation: correlationId });
      assert.equal(typesIn(found), ['CommandAudited']);
      const all = JSON.stringify([caused, found, await ask('audit_search', { stream: orderId })]);
      assert.not.match(all, anOrder.shippingAddress.street);
      const health = rowsIn(await ask('health'));
      assert.ok(health.some(({ host }) => host !== undefined));
      for (const name of ['processes_list', 'effects_list', 'timers_list', 'stuck_list'])
        assert.is((await ask(name)).status, 'done', name);
      assert.is((await ask('effects_show', { id: newUuid() })).problem?.code, 'not-found');
      assert.equal(
        rowsIn(await ask('problem_explain', { text: 'stream-conflict' })).map(({ status }) => status),
        [409],
      );
      assert.is((await ask('stuck_list', { skip: true })).problem?.code, 'invalid-query');
      const process = { name: 'order-fulfilment', key: orderId };
      assert.ok(['done', 'refused'].includes((await ask('processes_show', process)).status));
    });
  }));

test('with --bodies contents are shown as the audit has them, where sensitive values are hidden', () =>
  withHost({}, async ({ url, databaseUrl }) => {
    const body = { email: 'ada@example.org', name: 'Ada' };
    const registered = await post(url, body, { path: '/customers' });
    const { customerId } = jsonOf(registered) as { customerId: string };
    const orderId = await order(url, newUuid());
    await withAgent(databaseUrl, ['--bodies'], async (ask) => {
      const created = JSON.stringify(rowsIn(await ask('streams_read', { streamId: orderId }))[0]?.['body']);
      assert.match(created, anOrder.customerId);
      const records = await ask('audit_search', { stream: customerId });
      const commands = await ask('requests_find', { command: 'RegisterCustomer' });
      const text = JSON.stringify([records, commands, await ask('streams_read', { streamId: customerId })]);
      assert.match(text, /\[redacted\]/);
      assert.not.match(text, 'ada@example.org');
    });
  }));

test('a command is found however many others were handled after it', () =>
  withHost({}, async ({ url, databaseUrl }) => {
    const body = { email: 'ada@example.org', name: 'Ada' };
    await post(url, body, { path: '/customers' });
    for (let n = 0; n < 5; n++) await Promise.all(Array.from({ length: 24 }, () => order(url, newUuid())));
    await withAgent(databaseUrl, [], async (ask) => {
      const found = await ask('requests_find', { command: 'register' });
      assert.equal(
        rowsIn(found).map(({ subject }) => subject),
        ['RegisterCustomer'],
      );
    });
  }));

test('its connections can change nothing, and end a query after 5 s', () =>
  withHost({}, async ({ databaseUrl }) => {
    const config = readConfig({ DATABASE_URL: databaseUrl });
    await withReadOnlyDatabaseOf(config, async (database) => {
      const settings = `SELECT current_setting('default_transaction_read_only'), current_setting('statement_timeout')`;
      assert.equal(await database.rows({ text: settings }), [['on', '5s']]);
      const text = 'UPDATE svc_hosts SET name = name';
      const refused = await database.rows({ text }).then(
        () => 'done',
        (error: Error) => `${error.message} ${String(error.cause)}`,
      );
      assert.match(refused, /read-only/);
    });
  }));
