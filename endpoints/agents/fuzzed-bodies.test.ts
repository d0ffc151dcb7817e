import * as fc from 'fast-check';
import * as assert from 'uvu/assert';
import { suite } from '../../contracts/testing/suite.js';
import type { JsonObject } from '../../contracts/codec-scalars.js';
import { answerTo } from './mcp-answer.js';
import { messageIn } from './rpc-message.js';

const test = suite('fuzzed calls of tools');

const names = ['jsonrpc', 'id', 'method', 'params', '_meta', 'name', 'arguments', '__proto__', 'constructor'];
const words = [
  ...['2.0', 'tools/call', 'tools/list', 'initialize', 'server/discover', 'ping', 'bake_bread', 'toString'],
  ...['2026-07-28', '2025-11-25', '=?base64?YQ==?='],
];
const keys = ['protocolVersion', 'clientCapabilities', 'clientInfo'].map(
  (key) => `io.modelcontextprotocol/${key}`,
);
const text = fc.oneof(fc.constantFrom(...words), fc.string());
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    text,
    fc.double(),
    fc.boolean(),
    fc.constant(null),
    tie('list'),
    tie('object'),
  ),
  list: fc.array(tie('value'), { maxLength: 3 }),
  object: fc.dictionary(fc.constantFrom(...names, ...keys), tie('value'), { maxKeys: 6 }),
}));
const like = fc.record(
  {
    jsonrpc: fc.constantFrom('2.0', '1.0'),
    id: fc.oneof(fc.integer(), text, value),
    method: fc.oneof(fc.constantFrom('tools/call', 'tools/list'), text, value),
    params: fc.oneof(value, fc.record({ name: fc.oneof(text, value), arguments: value, _meta: value })),
  },
  { requiredKeys: [] },
);
const headers = fc.record({
  version: fc.oneof(fc.constantFrom(undefined, '2025-11-25', '2026-07-28'), text),
  method: fc.option(text, { nil: undefined }),
  name: fc.option(text, { nil: undefined }),
  session: fc.option(text, { nil: undefined }),
});

test('10,000 fuzzed bodies are answered, and none runs anything but a tool with its arguments', async () => {
  const called: [string, JsonObject][] = [];
  const tools = {
    list: () => [],
    call: async (name: string, args: JsonObject) => {
      called.push([name, args]);
      return undefined;
    },
  };
  await fc.assert(
    fc.asyncProperty(fc.oneof(like, value), headers, async (body, given) => {
      const sent: unknown = JSON.parse(JSON.stringify(body) ?? 'null');
      const { status, body: answer } = await answerTo(
        messageIn(sent, given),
        { name: 'a', version: '1' },
        tools,
      );
      assert.ok([200, 202, 400, 404].includes(status));
      assert.is(answer === undefined, status === 202);
      if (answer === undefined) return;
      const { jsonrpc, id } = JSON.parse(JSON.stringify(answer)) as { jsonrpc: string; id: unknown };
      assert.ok(jsonrpc === '2.0' && (id === null || ['string', 'number'].includes(typeof id)));
    }),
    { numRuns: 10_000 },
  );
  assert.ok(called.length > 0);
  assert.ok(called.every(([name, args]) => typeof name === 'string' && typeof args === 'object'));
});
