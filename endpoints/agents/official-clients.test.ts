import { Client as PresentClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as EarlierTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
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

async function earlier(url: URL): Promise<Connected> {
  const client = new Client(info);
  await client.connect(new EarlierTransport(url, { requestInit }));
  return client;
}

async function present(url: URL, mode: 'auto' | 'legacy' | { pin: string }): Promise<Connected> {
  const client = new PresentClient(info, { versionNegotiation: { mode } });
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
  return client;
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
