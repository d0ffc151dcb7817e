import { createHmac } from 'node:crypto';
import * as assert from 'uvu/assert';
import { jsonOf, post, send } from '../../endpoints/testing/http-client.js';
import { untilPasses } from '../../runtime/kit/until.js';
import { bearer, type Env } from './authenticated-host.js';
import { anOrder, orderIdIn } from './order-load.js';

const key = 'a shared key of thirty-two bytes, at least';

export const byToken = { SVC_AUTH: 'jwt,api-key', SVC_JWT_SECRET: key };

/** Signed by hand: what the host accepts does not depend on the library that it uses. */
export function tokenOf(sub: string, permissions: readonly string[], more: object = {}): string {
  const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  // Test files share their processes, and this module with its tokens.
  const exp = Math.floor(Date.now() / 1_000) + 7_200;
  const text = `${encoded({ alg: 'HS256' })}.${encoded({ sub, exp, permissions, ...more })}`;
  return `${text}.${createHmac('sha256', key).update(text).digest('base64url')}`;
}

export const as = (sub: string, permissions: readonly string[], more?: object): Env =>
  bearer(tokenOf(sub, permissions, more));

/** The agent, and the person who decides; neither has a right of the other. */
export const desk = as('desk', ['orders:read', 'orders:write']);
export const grace = as('grace', ['orders:approve']);

interface ToolAnswer {
  readonly status: string;
  readonly approvalId?: string;
  readonly expiresAt?: string;
  readonly repeated?: boolean;
  readonly result?: Outcome;
  readonly problem?: { readonly code: string };
}

interface Outcome {
  readonly status: string;
  readonly note?: string;
  readonly result?: object;
  readonly problem?: { readonly code: string };
}

interface ShownApproval extends Outcome {
  readonly approvalId: string;
  readonly command: string;
  readonly arguments: object;
  readonly fingerprint: string;
  readonly askedBy: string;
  readonly agent: string;
}

export const rpc = async (url: string, method: string, params: object, headers: Env = {}) => {
  const clientInfo = { 'mcp-session-id': Buffer.from('desk').toString('base64url') };
  const body = { jsonrpc: '2.0', id: 1, method, params };
  const answer = await post(url, body, { path: '/mcp', headers: { ...clientInfo, ...headers } });
  assert.is(answer.status, 200, answer.text);
  return jsonOf(answer) as {
    readonly result?: {
      readonly tools?: readonly { readonly name: string }[];
      readonly structuredContent?: ToolAnswer;
    };
    readonly error?: { readonly message: string };
  };
};

export async function callTool(url: string, name: string, args: object, headers?: Env): Promise<ToolAnswer> {
  const { result, error } = await rpc(url, 'tools/call', { name, arguments: args }, headers);
  return result?.structuredContent ?? { status: error?.message ?? '' };
}

export async function placeOrder(url: string, headers: Env = desk): Promise<string> {
  return orderIdIn(await post(url, anOrder, { path: '/orders', headers: { prefer: 'wait=10', ...headers } }));
}

/** Asks for a new order to be cancelled; returns the approval as a person sees it. */
export async function askToCancel(url: string, agent: Env = desk, person: Env = grace) {
  const orderId = await placeOrder(url, agent);
  const answer = await callTool(url, 'cancel_order', { orderId, why: 'asked twice' }, agent);
  assert.is(answer.status, 'waiting-for-approval', JSON.stringify(answer));
  return { orderId, ...(await shown(url, answer.approvalId, person)) };
}

export async function shown(
  url: string,
  approvalId: string | undefined,
  person: Env,
): Promise<ShownApproval> {
  let found: ShownApproval | undefined;
  await untilPasses(async () => {
    const answer = await fetch(`${url}/approvals/${approvalId}`, { headers: person });
    assert.is(answer.status, 200, await answer.clone().text());
    found = (await answer.json()) as ShownApproval;
  });
  return found as ShownApproval;
}

interface Decision {
  readonly approvalId: string;
  readonly fingerprint: string;
}

export const decide = (url: string, { approvalId, fingerprint }: Decision, person: Env, more: object = {}) =>
  post(
    url,
    { approvalId, fingerprint, agree: true, ...more },
    { path: '/approvals/decide', headers: person },
  );

/** What the agent learns in the end. */
export async function outcomeOf(url: string, id: string, agent: Env = desk): Promise<Outcome> {
  let outcome: Outcome = { status: '' };
  await untilPasses(async () => {
    outcome = (await callTool(url, 'approval_get', { id }, agent)).result ?? outcome;
    assert.not(['', 'asked', 'agreed'].includes(outcome.status), outcome.status);
  });
  return outcome;
}

export const statusOf = async (url: string, orderId: string): Promise<unknown> => {
  const answer = await send(url, { method: 'GET', path: `/orders/${orderId}`, headers: desk });
  return (jsonOf(answer) as { status: unknown }).status;
};
