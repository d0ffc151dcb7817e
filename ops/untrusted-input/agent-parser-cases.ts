import { decodeBody } from '../../contracts/codec.js';
import { listQueryIn } from '../../endpoints/agents/list-query.js';
import { messageIn, type RpcHeaders } from '../../endpoints/agents/rpc-message.js';
import type { ToolDocument } from '../../endpoints/agents/tool-entry.js';
import { decodeDecideApproval } from '../../endpoints/approvals/decide-approval.js';
import { textShapes } from './hostile-shapes.js';
import type { UntrustedParser } from './untrusted-parser.js';

const mostOfHead = 16_384;

const request = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'a' } };
const none: RpcHeaders = { version: undefined, method: undefined, name: undefined, session: undefined };
const envelope = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};
const present = { ...request, params: { name: 'a', _meta: envelope } };

const columns = [
  { name: 'status', type: 'text' },
  { name: 'total', type: 'numeric' },
  { name: 'placedAt', type: 'timestamptz' },
] as const;
const document: ToolDocument = {
  name: 'orders_list',
  title: 'Orders',
  description: 'Orders.',
  outputSchema: {},
  inputSchema: {
    properties: {
      filter: { properties: { status: {}, total: {}, placedAt: {} } },
      pageSize: { maximum: 50 },
    },
  },
  annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
};

const header = (name: keyof RpcHeaders, body: object, ...starts: readonly string[]): UntrustedParser => ({
  name: `the ${name} in the headers of an agent`,
  in: 'endpoints/agents/rpc-message.ts',
  limit: mostOfHead,
  shapes: textShapes(...starts),
  read: (text) => messageIn(body, { ...none, version: '2026-07-28', method: 'tools/call', [name]: text }),
});

const filter = (name: string, operator: string): UntrustedParser => ({
  name: `${operator} of ${name}, from an agent`,
  in: 'endpoints/agents/list-query.ts',
  limit: 65_536,
  shapes: textShapes('1', ',', '2026-', '%'),
  read: (text) =>
    listQueryIn({ filter: { [name]: { [operator]: text } }, sort: text, cursor: text }, document, columns),
});

/** What agents send beside the body of a command, and what people decide about it. */
export const agentParserCases: readonly UntrustedParser[] = [
  {
    name: 'a decision about an approval',
    in: 'endpoints/approvals/decide-approval.ts',
    limit: 65_536,
    shapes: textShapes('018f0000-', 'ab'),
    read: (text) =>
      decodeBody(decodeDecideApproval, { approvalId: text, fingerprint: text, agree: text, note: text }),
  },
  header('version', request, '2026-07-28', '2025-'),
  header('name', present, '=?base64?', '=?base64?YQ='),
  header('session', request, 'YWJj', '='),
  ...['eq', 'gte', 'in', 'contains'].flatMap((operator) => columns.map(({ name }) => filter(name, operator))),
];
