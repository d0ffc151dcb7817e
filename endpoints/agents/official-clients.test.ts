import { Client as PresentClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as EarlierTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import { until } from '../../runtime/kit/until.js';
import { bearing, knownCallers } from '../testing/known-callers.js';
import { someBread, withAgents } from './testing/agents-at-the-bakery.js';

const test = suite('the official clients of the Model Context Protocol');

/** What the tests use of both clients. */
interface Connected {
  listTools(): Promise<{ tools: readonly { name: string; inputSchema: object }[] }>;
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<object>;
  getServerVersion(): { name: string; version: string } | undefined;
  close(): Promise<void>;
}

const info = { name: 'desk', version: '1' };
const requestInit = { headers: bearing('operator') };

async function earlier(url: URL, fetch = globalThis.fetch): Promise<Connected> {
  const client = new Client(info);
  const transport = new EarlierTransport(url, { requestInit, fetch });
  await client.connect(transport);
  return Object.assign(client, { close: () => transport.terminateSession().then(() => transport.close()) });
}

async function present(
  url: URL,
  mode: 'auto' | 'legacy' | { pin: string },
  fetch = globalThis.fetch,
): Promise<Connected> {
  const client = new PresentClient(info, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit, fetch }));
  return client;
}

/** A request of a client, and how it was answered. */
interface Exchange {
  readonly http: string;
  readonly rpc: string | undefined;
  readonly headers: Headers;
  readonly status: number;
}

function recording(): { readonly fetch: typeof globalThis.fetch; readonly seen: Exchange[] } {
  const seen: Exchange[] = [];
  return {
    seen,
    fetch: async (input, init = {}) => {
      const answer = await fetch(input, init);
      const { method: http = 'GET', body } = init;
      const rpc = typeof body === 'string' ? (JSON.parse(body) as { method: string }).method : undefined;
      seen.push({ http, rpc, headers: new Headers(init.headers), status: answer.status });
      return answer;
    },
  };
}

const rejection = (call: Promise<object>): Promise<string> =>
  call.then(JSON.stringify, (error: Error) => error.message);

const clients: Readonly<Record<string, (url: URL) => Promise<Connected>>> = {
  'of 2025': earlier,
  'of 2026': (url) => present(url, { pin: '2026-07-28' }),
  'of 2026, which asks which revision is served,': (url) => present(url, 'auto'),
  'of 2026, in its mode for earlier servers,': (url) => present(url, 'legacy'),
};

for (const [name, connect] of Object.entries(clients))
  test(`a client ${name} lists tools and calls them`, () =>
    withAgents(
      async ({ url }) => {
        const client = await connect(new URL('/mcp', url));
        try {
          assert.equal(client.getServerVersion(), { name: 'bakery', version: '1.2.3' });
          const { tools } = await client.listTools();
          assert.equal(
            tools.map((tool) => tool.name),
            ['bake_bread'],
          );
          const called = await client.callTool({ name: 'bake_bread', arguments: someBread });
          const { structuredContent } = called as { structuredContent: { status: string } };
          assert.is(structuredContent.status, 'done');
          const refused = await client.callTool({ name: 'bake_bread', arguments: { loaves: 'many' } });
          assert.is((refused as { isError?: boolean }).isError, true);
          const unknown = await rejection(client.callTool({ name: 'bake_cake', arguments: {} }));
          assert.match(unknown, /There is no such tool/);
        } finally {
          await client.close();
        }
      },
      { http: { authentication: knownCallers() } },
    ));

test('a client of 2026 says in headers what it asks, in Base64 what a header cannot hold', () =>
  withAgents(
    async ({ url }) => {
      const { fetch, seen } = recording();
      const client = await present(new URL('/mcp', url), 'auto', fetch);
      for (const name of ['bake_bread', 'Größe'])
        await rejection(client.callTool({ name, arguments: someBread }));
      await client.close();
      assert.is(seen[0]?.rpc, 'server/discover');
      const said = seen.filter(({ rpc }) => rpc === 'tools/call').map(({ headers }) => headers);
      assert.equal(
        said.map((headers) =>
          ['mcp-protocol-version', 'mcp-method', 'mcp-name', 'mcp-session-id'].map((name) =>
            headers.get(name),
          ),
        ),
        ['bake_bread', `=?base64?${Buffer.from('Größe').toString('base64')}?=`].map((name) => [
          '2026-07-28',
          'tools/call',
          name,
          null,
        ]),
      );
    },
    { http: { authentication: knownCallers() } },
  ));

test('a client of 2025 sends back the session that it was given, and accepts that there is neither a stream nor an end of it', () =>
  withAgents(
    async ({ url }) => {
      const { fetch, seen } = recording();
      const client = await earlier(new URL('/mcp', url), fetch);
      await client.listTools();
      await until(() => seen.some(({ http }) => http === 'GET'));
      await client.close();
      const answered = seen.map(({ http, rpc = '', status }) =>
        `${http} ${rpc} ${status}`.replace('  ', ' '),
      );
      assert.equal(answered.toSorted(), [
        'DELETE 405',
        'GET 405',
        'POST initialize 200',
        'POST notifications/initialized 202',
        'POST tools/list 200',
      ]);
      const sessions = new Set(
        seen.flatMap(({ rpc, headers }) => (rpc === 'initialize' ? [] : [headers.get('mcp-session-id')])),
      );
      assert.equal([...sessions], [Buffer.from('desk').toString('base64url')]);
    },
    { http: { authentication: knownCallers() } },
  ));
