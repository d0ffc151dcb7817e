import { isObject, type JsonObject } from '../../contracts/codec-scalars.js';

// Methods, results and most error codes are those of the types that the official clients ship. The types leave out what
// follows: it rests on how these clients behave, which official-clients.test.ts shows. Look here first when one changes.
// - A request of the present revision says its revision, method and tool in headers, in Base64 what a header cannot hold;
//   its errors arrive with the status 400 or 404, and -32020 is the code of a header that says something else.
// - A client of the earlier era sends back the mcp-session-id that initialize was answered with; it works without one.
//   It asks for a stream with GET, and to end its session with DELETE, and accepts 405 for both.
// - A notification is answered with 202 and no body, a request with application/json instead of a stream.
// - A client that asks which revision is served sends server/discover first.

/** The revision without a handshake: every request says what it needs. */
export const present = '2026-07-28';
/** Revisions that begin with `initialize`. */
const earlier = ['2025-11-25', '2025-06-18'] as const;

/** A JSON-RPC error, and the HTTP status that carries it. */
export interface RpcError {
  readonly status: number;
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

export type RpcId = string | number;

export interface RpcRequest {
  readonly is: 'request';
  readonly id: RpcId;
  readonly method: string;
  readonly params: JsonObject;
  readonly isPresent: boolean;
  /** What the client calls itself. */
  readonly client: string | undefined;
}

export type RpcMessage =
  | RpcRequest
  | { readonly is: 'notification' }
  | { readonly is: 'refused'; readonly id: RpcId | null; readonly error: RpcError };

/** The headers of a call. */
export interface RpcHeaders {
  readonly version: string | undefined;
  readonly method: string | undefined;
  readonly name: string | undefined;
  readonly session: string | undefined;
}

export const errorCodes = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  headerMismatch: -32020,
  unsupportedVersion: -32022,
} as const;

const key = (name: string): string => `io.modelcontextprotocol/${name}`;
export const serverInfoKey = key('serverInfo');

/** Reads a parsed body, of either era of the protocol; over a pipe there are no headers. */
export function messageIn(body: unknown, headers?: RpcHeaders): RpcMessage {
  if (!isObject(body) || body['jsonrpc'] !== '2.0' || typeof body['method'] !== 'string')
    return refused(null, errorCodes.invalidRequest, 'The body must be one JSON-RPC 2.0 request.');
  const { id, method, params = {} } = body as { id?: unknown; method: string; params?: unknown };
  if (id === undefined) return { is: 'notification' };
  if (typeof id !== 'string' && !Number.isSafeInteger(id))
    return refused(null, errorCodes.invalidRequest, 'The id must be text or a whole number.');
  const request = { is: 'request', id: id as RpcId, method } as const;
  if (!isObject(params)) return refused(request.id, errorCodes.invalidRequest, 'params must be an object.');
  const meta = isObject(params['_meta']) ? params['_meta'] : {};
  const isPresent = key('protocolVersion') in meta;
  const error =
    (isPresent ? envelopeErrorOf(meta) : undefined) ??
    (headers && (isPresent ? headerErrorOf(method, params, headers) : handshakeErrorOf(method, headers)));
  if (error !== undefined) return { is: 'refused', id: request.id, error };
  const client = isPresent ? nameIn(meta[key('clientInfo')]) : clientOfSession(headers?.session);
  return { ...request, params, isPresent, client };
}

/** What `initialize` agrees on. */
export const agreedVersion = (asked: unknown): string =>
  earlier.find((version) => version === asked) ?? earlier[0];

/** No host keeps a session: its id says what later requests of the earlier era do not. */
export const sessionOf = (clientInfo: unknown): string | undefined => {
  const name = nameIn(clientInfo);
  return name && Buffer.from(shortName(name)).toString('base64url');
};

/** Cut between characters: half of one could not be stored. */
export const shortName = (name: string): string => Array.from(name.slice(0, 128)).slice(0, 64).join('');

const clientOfSession = (session: string | undefined): string | undefined =>
  session && Buffer.from(session.slice(0, 400), 'base64url').toString();

function nameIn(info: unknown): string | undefined {
  const name = isObject(info) ? info['name'] : undefined;
  return typeof name === 'string' && name !== '' ? name : undefined;
}

function envelopeErrorOf(meta: JsonObject): RpcError | undefined {
  const version = meta[key('protocolVersion')];
  const wrong = ['clientCapabilities', 'clientInfo'].find((name) => {
    const value = meta[key(name)];
    return !isObject(value) && !(name === 'clientInfo' && value === undefined);
  });
  if (wrong !== undefined || typeof version !== 'string')
    return invalid(errorCodes.invalidParams, `_meta needs ${key(wrong ?? 'protocolVersion')}.`);
  return version === present ? undefined : unsupported(version);
}

/** Proxies decide by the headers: they must say what the body says. */
function headerErrorOf(method: string, params: JsonObject, headers: RpcHeaders): RpcError | undefined {
  const name = decoded(headers.name);
  const expected = [
    ['MCP-Protocol-Version', headers.version, present],
    ['Mcp-Method', headers.method, method],
    ['Mcp-Name', name, method === 'tools/call' ? params['name'] : name],
  ] as const;
  const wrong = expected.find(([, given, said]) => given !== said);
  return wrong && invalid(errorCodes.headerMismatch, `The header ${wrong[0]} must say what the body says.`);
}

function handshakeErrorOf(method: string, { version }: RpcHeaders): RpcError | undefined {
  if (version === undefined || earlier.some((known) => known === version)) return undefined;
  if (version === present && method === 'initialize')
    return invalid(errorCodes.headerMismatch, `initialize is not part of ${present}.`);
  return version === present
    ? invalid(errorCodes.invalidParams, `_meta needs ${key('protocolVersion')}.`)
    : unsupported(version);
}

/** Text that no header can hold is sent in Base64. */
function decoded(header: string | undefined): string | undefined {
  const [, base64] = /^=\?base64\?([A-Za-z0-9+/=]*)\?=$/.exec(header ?? '') ?? [];
  return base64 === undefined ? header : Buffer.from(base64, 'base64').toString();
}

const invalid = (code: number, message: string): RpcError => ({ status: 400, code, message });

const unsupported = (requested: string): RpcError => ({
  status: 400,
  code: errorCodes.unsupportedVersion,
  message: 'Unsupported protocol version',
  data: { supported: [present, ...earlier], requested: requested.slice(0, 32) },
});

const refused = (id: RpcId | null, code: number, message: string): RpcMessage => ({
  is: 'refused',
  id,
  error: invalid(code, message),
});
