import { Agent } from 'node:http';
import * as assert from 'uvu/assert';
import { Problem } from '../../contracts/problems.js';
import { RequestContext } from '../../runtime/request/request-context.js';
import { suite } from '../../contracts/testing/suite.js';
import { newUuid } from '../../contracts/uuid.js';
import { Inspection } from '../inspection/inspection.js';
import { bearing, knownCallers } from '../testing/known-callers.js';
import { type BakeBread, BreadBaked, withBakery } from '../testing/bakery.js';
import { post, refusalIn, send } from '../testing/http-client.js';
import { ask, call, rpcIn, someBread, type ToolResult, withAgents } from './testing/agents-at-the-bakery.js';

const test = suite('tools of agents');

const namesIn = (result: unknown): readonly string[] =>
  (result as { tools: readonly { name: string }[] }).tools.map(({ name }) => name);

test('without a class that says agent there is no route', () =>
  withBakery({}, async ({ url }) => {
    assert.is((await ask(url, 'ping')).status, 404);
  }));

test('a client of the earlier era is answered without a session in the host', () =>
  withAgents(async ({ url }) => {
    const clientInfo = { name: 'desk', version: '1' };
    const answer = await ask(url, 'initialize', {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo,
    });
    assert.equal(rpcIn(answer).result, {
      protocolVersion: '2025-06-18',
      capabilities: { tools: {} },
      serverInfo: { name: 'bakery', version: '1.2.3' },
    });
    const initialized = { jsonrpc: '2.0', method: 'notifications/initialized' };
    assert.is((await post(url, initialized, { path: '/mcp' })).status, 202);
    assert.equal(rpcIn(await ask(url, 'ping')).result, {});
    assert.is(rpcIn(await ask(url, 'resources/list')).error?.code, -32601);
  }));

test('GET and DELETE are not allowed', () =>
  withAgents(async ({ url }) => {
    for (const method of ['GET', 'DELETE'])
      assert.is(refusalIn(await send(url, { method, path: '/mcp' })), '405 method-not-allowed');
  }));

test('a tool runs its command once, however often it is called with equal arguments', () => {
  let baked = 0;
  const bake = (
    { customer, loaves }: BakeBread,
    work: { append(id: string, event: BreadBaked): unknown },
  ) => {
    baked++;
    work.append(newUuid(), BreadBaked.of({ customer, loaves }));
    return { baked: loaves, batch: newUuid() };
  };
  return withAgents(
    async ({ url }) => {
      const first = await call(url, someBread);
      assert.equal(first.structuredContent.result, { baked: 2, batch: '[redacted]' });
      assert.is(first.structuredContent.repeated, false);
      assert.equal(JSON.parse(first.content[0]?.text ?? ''), first.structuredContent);
      const { toppings, loaves, customer } = someBread;
      const { structuredContent: again } = await call(url, { toppings, loaves, customer });
      assert.equal([again.repeated, again.result], [true, first.structuredContent.result]);
      assert.match(again.note ?? '', /equal call/);
      assert.is(baked, 1);
      await call(url, { ...someBread, idempotencyKey: 'another' });
      assert.is(baked, 2);
    },
    { bake },
  );
});

test('a refusal that is repeated says so, and how to ask again', () =>
  withAgents(
    async ({ url }) => {
      const first = await call(url, someBread);
      const again = await call(url, someBread);
      assert.equal(
        [first, again].map(({ structuredContent: { problem, repeated } }) => [problem?.code, repeated]),
        [
          ['no-flour', undefined],
          ['no-flour', true],
        ],
      );
      assert.match(again.structuredContent.note ?? '', /equal call/);
    },
    {
      bake: () => {
        throw new Problem('no-flour', { status: 422, title: 'There is no flour' });
      },
    },
  ));

test('without authentication, the answer to an equal call belongs to its address', () =>
  withAgents(async ({ url }) => {
    const repeated = async (localAddress: string): Promise<boolean | undefined> => {
      const params = { name: 'bake_bread', arguments: someBread };
      const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
      const answer = await post(url, message, { path: '/mcp', agent: new Agent({ localAddress }) });
      return (rpcIn(answer).result as unknown as ToolResult).structuredContent.repeated;
    };
    const found: unknown[] = [];
    for (const address of ['127.0.0.1', '127.0.0.2', '127.0.0.1']) found.push(await repeated(address));
    assert.equal(found, [false, false, true]);
  }));

test('what is wrong with the arguments is an answer that an agent can act on', () =>
  withAgents(async ({ url }) => {
    const { isError, structuredContent } = await call(url, { ...someBread, loaves: 0 });
    assert.is(isError, true);
    assert.equal([structuredContent.status, structuredContent.problem?.code], ['refused', 'invalid-command']);
    const key = await call(url, { ...someBread, idempotencyKey: 7 });
    assert.is(key.structuredContent.problem?.code, 'invalid-command');
  }));

test('a command without agent is unknown by every name', () =>
  withAgents(async ({ url }) => {
    const unknown = rpcIn(await ask(url, 'tools/call', { name: 'no_such_tool', arguments: {} })).error;
    assert.is(unknown?.code, -32602);
    for (const name of [
      'BakeCake',
      'bake_cake',
      'BakeBun',
      'bake_bun',
      'send_parcel',
      'BakeBread',
      '__proto__',
    ])
      assert.equal(rpcIn(await ask(url, 'tools/call', { name, arguments: {} })).error, unknown);
  }));

test('a caller needs an identity, and sees only the tools that their permissions allow', () => {
  const authentication = knownCallers();
  return withAgents(
    async ({ url }) => {
      assert.is(refusalIn(await ask(url, 'tools/list')), '401 unauthenticated');
      assert.equal(namesIn(rpcIn(await ask(url, 'tools/list', {}, bearing('operator'))).result), [
        'bake_bread',
      ]);
      assert.equal(namesIn(rpcIn(await ask(url, 'tools/list', {}, bearing('guest'))).result), []);
      assert.equal(authentication.decided, []);
    },
    { http: { authentication } },
  );
});

test('a denied tool and an unknown one answer alike, and the denial is recorded', () => {
  const authentication = knownCallers();
  return withAgents(
    async ({ url }) => {
      const answers = await Promise.all(
        ['bake_bread', 'no_such_tool'].map((name) =>
          ask(url, 'tools/call', { name, arguments: someBread }, bearing('guest')),
        ),
      );
      assert.is(answers[0]?.text, answers[1]?.text);
      assert.equal(authentication.decided, ['denied bob bread:bake BakeBread']);
      const allowed = await call(url, someBread, bearing('operator'));
      assert.is(allowed.structuredContent.status, 'done');
    },
    { http: { authentication } },
  );
});

test('the answer to an equal call belongs to its caller', () => {
  const authentication = knownCallers();
  const permissions = { BakeBread: 'authenticated' } as const;
  return withAgents(
    async ({ url }) => {
      const repeated = async (name: string) =>
        (await call(url, someBread, bearing(name))).structuredContent.repeated;
      assert.equal(
        [await repeated('guest'), await repeated('operator'), await repeated('guest')],
        [false, false, true],
      );
    },
    { http: { authentication }, permissions },
  );
});

test('a tool is called so often in a minute', () =>
  withAgents(
    async ({ url }) => {
      const codes: (string | undefined)[] = [];
      for (const loaves of [1, 2, 3])
        codes.push((await call(url, { ...someBread, loaves })).structuredContent.problem?.code);
      assert.equal(codes, [undefined, undefined, 'rate-limited']);
    },
    {},
    { perMinute: 2 },
  ));

test('the audit of a command says which agent sent it', () => {
  const contexts: [string, unknown][] = [];
  const bake = (_: BakeBread, work: { readonly context: object }) => {
    const { context } = work;
    if (context instanceof RequestContext) contexts.push([context.transport, context.metadata['by']]);
    return { baked: 1 };
  };
  return withAgents(
    async ({ url }) => {
      const clientInfo = { name: `desk\u202e\n<>${'𝒳'.repeat(100)}`, version: '1' };
      const { headers } = await ask(url, 'initialize', { clientInfo });
      await call(url, someBread, { 'mcp-session-id': String(headers['mcp-session-id']) });
      await call(url, { ...someBread, loaves: 3 });
      assert.equal(contexts, [
        ['mcp', `agent:desk${'𝒳'.repeat(56)}`],
        ['mcp', 'agent:unknown'],
      ]);
    },
    { bake },
  );
});

test('the inspector sees each call with its command', () => {
  const inspection = new Inspection({ host: 'h' });
  return withAgents(
    async ({ url }) => {
      await call(url, someBread);
      await call(url, someBread);
      await call(url, { ...someBread, loaves: 'many' });
      const found = inspection
        .requests()
        .map(({ command, transport, outcome }) => [command, transport, outcome]);
      assert.equal(found, [
        ['BakeBread', 'mcp', 'rejected'],
        ['BakeBread', 'mcp', 'replayed'],
        ['BakeBread', 'mcp', 'completed'],
      ]);
    },
    { inspection, http: { observer: inspection } },
  );
});

test('a page of another site is refused, unless it may use the service, and so is another name of the host', () => {
  const origin = 'https://desk.example';
  const body = async (cors: boolean): Promise<number> => {
    let status = 0;
    const http = cors ? { cors: { origins: [origin] } } : {};
    await withAgents(async ({ url }) => void ({ status } = await ask(url, 'tools/list', {}, { origin })), {
      http,
    });
    return status;
  };
  return withAgents(
    async ({ url }) => {
      assert.equal([await body(false), await body(true)], [403, 200]);
      assert.is(refusalIn(await ask(url, 'tools/list', {}, { host: 'evil.example' })), '421 misdirected');
    },
    { http: { localOnly: true } },
  );
});

test('two calls whose numbers differ in a late digit are not equal', () =>
  withAgents(
    async ({ url }) => {
      const repeated = async (weight: string): Promise<boolean | undefined> => {
        const args = `{"to":"018f0000-0000-7000-8000-000000000001","weight":${weight}}`;
        const body = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"bake_bread","arguments":${args}}}`;
        const answer = await send(url, {
          path: '/mcp',
          body,
          headers: { 'content-type': 'application/json' },
        });
        const { structuredContent } = rpcIn(answer).result as unknown as ToolResult;
        assert.is(structuredContent.status, 'done');
        return structuredContent.repeated;
      };
      const weights = ['1.23456789012345678901', '1.23456789012345678902', '1.23456789012345678901'];
      const found: unknown[] = [];
      for (const weight of weights) found.push(await repeated(weight));
      assert.equal(found, [false, false, true]);
    },
    {},
    { command: 'SendParcel' },
  ));

test('numbers keep the digits that they were written with', () => {
  const seen: unknown[] = [];
  return withAgents(
    async ({ url }) => {
      const text = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call' }).slice(0, -1);
      const args = '{"customer":"ann","loaves":1e2,"toppings":[]}';
      const body = `${text},"params":{"name":"bake_bread","arguments":${args}}}`;
      const headers = { 'content-type': 'application/json' };
      const answer = await send(url, { path: '/mcp', body, headers });
      const { structuredContent } = rpcIn(answer).result as unknown as ToolResult;
      assert.equal([structuredContent.status, seen], ['done', [100]]);
    },
    { bake: ({ loaves }) => void seen.push(loaves) },
  );
});
