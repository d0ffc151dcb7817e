import type { ToolEntry, ToolSchema } from '../tool-entry.js';
import { type Bakery, type Kitchen, withBakery } from '../../testing/bakery.js';
import { type Answered, jsonOf, post } from '../../testing/http-client.js';

const text: ToolSchema = { type: 'string' };

const bakeBread: ToolEntry = {
  command: 'BakeBread',
  perMinute: 30,
  tool: {
    name: 'bake_bread',
    title: 'Bake bread',
    description: 'Bakes bread.',
    inputSchema: {
      type: 'object',
      properties: {
        customer: text,
        loaves: { type: 'integer', minimum: 1 },
        toppings: { type: 'array', items: text },
        note: text,
        idempotencyKey: text,
      },
      required: ['customer', 'loaves', 'toppings'],
    },
    outputSchema: {
      type: 'object',
      properties: {
        status: text,
        repeated: { type: 'boolean' },
        result: {
          type: 'object',
          properties: { baked: { type: 'integer' }, batch: { const: '[redacted]' } },
        },
      },
      required: ['status'],
    },
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false },
  },
};

/** A bakery whose bread agents may bake; cakes, buns and parcels are no tools. */
export const withAgents = (
  body: (bakery: Bakery) => Promise<void>,
  { http, ...kitchen }: Kitchen = {},
  more: Partial<typeof bakeBread> = {},
  issuer?: string,
): Promise<void> => {
  const tools = JSON.stringify([{ ...bakeBread, ...more }]);
  const agents = { tools, info: { name: 'bakery', version: '1.2.3' }, issuer };
  return withBakery({ ...kitchen, http: { agents, ...http } }, body);
};

export const someBread = { customer: 'ann', loaves: 2, toppings: ['salt'] };

type Headers = Readonly<Record<string, string>>;

/** A request of the earlier era. */
export const ask = (
  url: string,
  method: string,
  params: object = {},
  headers: Headers = {},
): Promise<Answered> => post(url, { jsonrpc: '2.0', id: 1, method, params }, { path: '/mcp', headers });

export interface ToolResult {
  readonly content: readonly { readonly type: string; readonly text: string }[];
  readonly structuredContent: {
    readonly status: string;
    readonly repeated?: boolean;
    readonly note?: string;
    readonly result?: Readonly<Record<string, unknown>>;
    readonly problem?: { readonly code: string };
  };
  readonly isError?: boolean;
}

interface RpcAnswer {
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

export const rpcIn = (answer: Answered): RpcAnswer => jsonOf(answer) as RpcAnswer;

export async function call(url: string, args: object, headers: Headers = {}): Promise<ToolResult> {
  const answer = await ask(url, 'tools/call', { name: 'bake_bread', arguments: args }, headers);
  return rpcIn(answer).result as unknown as ToolResult;
}
