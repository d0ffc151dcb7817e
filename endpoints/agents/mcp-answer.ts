import { isObject, type JsonObject } from '../../contracts/codec-scalars.js';

import { contentOf, type ToolAnswer } from './agent-answer.js';
import {
  agreedVersion,
  errorCodes,
  present,
  type RpcError,
  type RpcId,
  type RpcMessage,
  type RpcRequest,
  serverInfoKey,
  sessionOf,
} from './rpc-message.js';
import type { ToolDocument } from './tool-entry.js';

/** The name and version of the service. */
export interface ServerInfo {
  readonly name: string;
  readonly version: string;
}

/** What answers the methods about tools. */
export interface ToolMethods {
  readonly list: () => readonly ToolDocument[];
  /** Undefined: the caller has no such tool. */
  readonly call: (
    name: string,
    args: JsonObject,
    client: string | undefined,
  ) => Promise<ToolAnswer | undefined>;
}

/** An answer over HTTP; without a body to a notification. */
export interface McpAnswer {
  readonly status: number;
  readonly body?: object;
  readonly session?: string | undefined;
}

/** Answers a message of either era. No host remembers anything about a client, so every host answers every call. */
export async function answerTo(
  message: RpcMessage,
  info: ServerInfo,
  tools: ToolMethods,
): Promise<McpAnswer> {
  if (message.is === 'notification') return { status: 202 };
  if (message.is === 'refused') return failed(message.id, message.error);
  const { id, isPresent, params } = message;
  const found = await resultOf(message, info, tools);
  if ('code' in found) return failed(id, found);
  const session = message.method === 'initialize' ? sessionOf(params['clientInfo']) : undefined;
  const complete = isPresent ? { resultType: 'complete', _meta: { [serverInfoKey]: info } } : {};
  return { status: 200, session, body: { jsonrpc: '2.0', id, result: { ...found.result, ...complete } } };
}

type Found = { readonly result: object } | RpcError;

async function resultOf(
  { method, params, isPresent, client }: RpcRequest,
  info: ServerInfo,
  tools: ToolMethods,
): Promise<Found> {
  const cached = isPresent ? { ttlMs: 0, cacheScope: 'private' } : {};
  if (method === 'tools/list') return { result: { tools: tools.list(), ...cached } };
  if (method === 'tools/call') return called(params, client, tools);
  if (isPresent && method === 'server/discover')
    return { result: { supportedVersions: [present], capabilities, ...cached } };
  if (!isPresent && method === 'initialize') {
    const protocolVersion = agreedVersion(params['protocolVersion']);
    return { result: { protocolVersion, capabilities, serverInfo: info } };
  }
  if (!isPresent && method === 'ping') return { result: {} };
  return { status: isPresent ? 404 : 200, code: errorCodes.methodNotFound, message: 'Method not found' };
}

const capabilities = { tools: {} };

async function called(
  { name, arguments: args = {} }: JsonObject,
  client: string | undefined,
  tools: ToolMethods,
): Promise<Found> {
  if (typeof name !== 'string' || !isObject(args))
    return invalidParams('tools/call needs a name, and arguments as an object.');
  const answer = await tools.call(name, args, client);
  // The same for a tool that the caller may not use: nobody learns what else there is.
  return answer === undefined ? invalidParams('There is no such tool.') : { result: contentOf(answer) };
}

const invalidParams = (message: string): RpcError => ({
  status: 200,
  code: errorCodes.invalidParams,
  message,
});

const failed = (id: RpcId | null, { status, code, message, data }: RpcError): McpAnswer => ({
  status,
  body: { jsonrpc: '2.0', id, error: { code, message, data } },
});
