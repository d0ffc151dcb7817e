import * as assert from 'uvu/assert';
import { identityFrom } from '../../contracts/identity.js';
import { Permission } from '../../contracts/permission.js';
import { suite } from '../../contracts/testing/suite.js';
import type { EndpointRegistration } from '../registrations.js';
import { knownCallers } from '../testing/known-callers.js';
import { AgentTools } from './agent-tools.js';
import type { ToolEntry } from './tool-entry.js';

const test = suite('tools of a service');

const fields = Array.from({ length: 20 }, (_, n) => [
  `field${n}`,
  { type: 'string', description: 'A field.' },
]);
const inputSchema = { type: 'object', properties: Object.fromEntries(fields) as object };
const entryOf = (_: unknown, n: number): ToolEntry => ({
  command: `Command${n}`,
  perMinute: 30,
  tool: {
    name: `command_${n}`,
    title: 'A command',
    description: 'Does something.',
    inputSchema,
    outputSchema: inputSchema,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  },
});
const entries = Array.from({ length: 200 }, entryOf);
const permission = Permission.of('bread', 'bake');
const endpoints = entries.map((_, n) => ({
  command: { name: `Command${n}` },
  permission,
})) as unknown as EndpointRegistration[];
const running = { endpoints, reads: [], approvals: undefined };

test('200 tools are listed in less than three times what it takes to write them as JSON', () => {
  const tools = new AgentTools(JSON.stringify(entries), running);
  const { guard } = knownCallers();
  const identity = identityFrom({ source: 'test', permissions: [permission] });
  const documents = entries.map(({ tool }) => tool);
  const listed = leastMs(() => JSON.stringify(tools.visibleTo({ identity, guard, headers: {} })));
  const written = leastMs(() => JSON.stringify(documents));
  assert.ok(listed < 3 * written, `${listed} ms, ${written} ms`);
});

/** The shortest of 20 times: on a busy machine others empty the caches. */
const leastMs = (write: () => string): number =>
  Math.min(
    ...Array.from({ length: 20 }, () => {
      const from = process.cpuUsage();
      assert.ok(write().length > 100_000);
      const { user, system } = process.cpuUsage(from);
      return (user + system) / 1_000;
    }),
  );

test('a tool whose command is gone, or whose approvals are missing, is refused at the start', () => {
  const made = (entry: ToolEntry) => () => new AgentTools(JSON.stringify([entry]), running);
  for (const entry of [
    entryOf(undefined, 200),
    { ...entryOf(undefined, 1), approval: 'bread:approve' },
    { approvals: true as const, tool: entryOf(undefined, 1).tool },
  ])
    assert.throws(made(entry), /earlier version of the sources; run svc generate/);
});
