import { hash } from 'node:crypto';
import { decodeStrictly, type JsonObject, type WrittenAt } from '../../contracts/codec.js';
import { isObject } from '../../contracts/codec-scalars.js';
import type { Idempotency } from '../../contracts/mutation-context.js';
import { Problem } from '../../contracts/problems.js';
import type { Json } from '../../contracts/scalars.js';
import type { Cancellation } from '../../runtime/lang/cancellation.js';
import { type Caller, RequestContext, runOf } from '../../runtime/request/request-context.js';
import { AskApproval, type AskedApproval } from '../approvals/approval-messages.js';
import { askerName, canonical } from '../approvals/approved-command.js';
import { decodeGuarded } from '../decode-guard.js';
import type { Reader } from '../graphql/perspective-reads.js';
import type { Correlation } from '../http/correlation.js';
import { type Answer, answerOnce, idempotencyOf, RepeatedProblem, resultIn } from '../idempotency.js';
import { lifecycleOf } from '../mutation-endpoint.js';
import { askedBy } from '../queries/read-routes.js';
import type { EndpointPorts, EndpointRegistration } from '../registrations.js';
import { refusal, shownResult, type ToolAnswer } from './agent-answer.js';
import type { AgentTool } from './agent-tools.js';
import { listQueryIn } from './list-query.js';
import { shortName } from './rpc-message.js';

/** One call of a tool. */
export interface ToolCall {
  readonly caller: Caller | undefined;
  readonly correlation: Correlation;
  readonly cancellation: Cancellation;
  /** What the client calls itself. */
  readonly client: string | undefined;
  readonly args: JsonObject;
  /** The source text of the numbers in the arguments. */
  readonly writtenAt: WrittenAt;
  /** Called when it is answered without a lifecycle; without an error when a stored answer is repeated. */
  readonly unstarted: (error?: unknown) => void;
}

type CommandTool = AgentTool & { readonly does: 'command' };
type ReadTool = Exclude<AgentTool, { readonly does: 'command' | 'outcome' }>;

/** Why a caller may not use the tool; the guard records it. */
export function toolRefusalOf(tool: AgentTool, { caller, correlation }: ToolCall): Problem | undefined {
  const resource = { type: tool.resource };
  return caller?.guard?.refusalOf(caller.identity, tool.permission, resource, undefined, correlation);
}

/** Runs a command once, however often an agent repeats the call. */
export async function sendCommand(
  ports: EndpointPorts,
  tool: CommandTool,
  call: ToolCall,
): Promise<ToolAnswer> {
  let context: RequestContext | undefined;
  const isUnstarted = (): boolean => context === undefined || !runOf(context).isInLifecycle;
  try {
    const { registration, asking = registration } = tool;
    const { idempotencyKey, ...body } = call.args;
    mustNotBeTooOften(tool, call);
    if (tool.asking !== undefined) mustBeKnown(call.caller);
    const decoded = decodedBy(ports, registration, body, call);
    const sent = canonical(asDecoded(body, decoded));
    const idempotency = idempotencyIn(tool, call, sent, keyIn(idempotencyKey));
    const of = (context = contextOf(call, idempotency));
    const command = tool.asking === undefined ? decoded : approvalOf(registration, sent, of);
    const run = () => lifecycleOf(asking.endpoint).run(asking.takes, command, of);
    const answer = await answerOnce(ports, { context: of, idempotency, instance: '/mcp', run });
    if (answer.replayed && isUnstarted()) call.unstarted();
    return answered(tool, answer);
  } catch (error) {
    if (isUnstarted()) call.unstarted(error);
    throw error;
  }
}

/** Another person can only agree with a caller who has a name. */
function mustBeKnown(caller: Caller | undefined): void {
  if (caller?.guard === undefined || askerName(caller.identity?.scope) === undefined)
    throw new Problem('approval-needs-identity');
}

/** Nobody reads more before they agree. */
const longestAgreed = 65_536;

/** What a person agrees to: the arguments as they were decoded. */
function approvalOf({ command }: EndpointRegistration, sent: string, { metadata }: RequestContext) {
  if (sent.length > longestAgreed)
    throw new Problem('invalid-command', {
      detail: `Arguments that a person must agree to have at most ${longestAgreed} characters.`,
    });
  return AskApproval.of({
    command: command.name,
    arguments: JSON.parse(sent) as Json,
    agent: String(metadata['by']),
  });
}

function mustNotBeTooOften({ calls }: CommandTool, { caller }: ToolCall): void {
  const { isAllowed, retryAfter } = calls.take(caller?.sender ?? '', performance.now());
  if (!isAllowed) throw new Problem('rate-limited', { retryAfter: Math.max(1, retryAfter) });
}

const decodedBy = (
  { guard }: EndpointPorts,
  { command, decode }: EndpointRegistration,
  body: JsonObject,
  { caller, writtenAt }: ToolCall,
): unknown => decodeGuarded(guard, command.name, caller, () => decodeStrictly(decode, body, writtenAt));

/**
 * The ids of JSON-RPC count from one in every client: what is asked is the key. Without authentication nobody has a scope:
 * an equal call of another address is another call.
 */
function idempotencyIn(
  { registration, document, asking = registration }: CommandTool,
  { caller }: ToolCall,
  sent: string,
  key: string | null,
): Idempotency {
  const sender = caller?.guard === undefined ? (caller?.sender ?? null) : null;
  const asked = hash('sha256', JSON.stringify([document.name, sent, key, sender]));
  return idempotencyOf({ of: asking, key: `mcp ${asked}`, sent, caller });
}

function contextOf(
  { caller, correlation, cancellation, client }: ToolCall,
  idempotency: Idempotency,
): RequestContext {
  const { messageId } = correlation;
  const given = { transport: 'mcp', cancellation, messageId, caller, idempotency } as const;
  const context = new RequestContext(given, correlation);
  context.metadata['by'] = `agent:${plainName(client)}`;
  return context;
}

function answered({ document, asking }: CommandTool, answer: Answer): ToolAnswer {
  const { replayed: repeated } = answer;
  try {
    const found = resultIn(answer);
    if (asking !== undefined)
      return { status: 'waiting-for-approval', ...(found as AskedApproval), repeated, note: waiting };
    const result = shownResult(document, found);
    return { status: 'done', result, repeated, ...(repeated ? { note } : {}) };
  } catch (error) {
    if (!(error instanceof RepeatedProblem)) throw error;
    return { ...refusal(error), repeated, note };
  }
}

const waiting = 'A person must agree first. Ask approval_get with the approvalId for what has become of it.';

const note = 'This is the answer to an equal call. Pass another idempotencyKey to do it again.';

/** Each call reads the rows, also when it equals the one before. */
export async function readRows(tool: ReadTool, call: ToolCall): Promise<ToolAnswer> {
  const states = new Set<string>();
  const { caller, correlation: origin } = call;
  const reader: Reader = { caller, origin, note: (state) => void states.add(state) };
  const result = await (tool.does === 'one' ? oneRow(tool, call, reader) : pageOfRows(tool, call, reader));
  const model = states.size === 0 ? {} : { note: `Rows may be missing: ${[...states].join(', ')}.` };
  return { status: 'done', result: shownResult(tool.document, result), ...model };
}

async function pageOfRows(
  { reads, document }: ReadTool,
  { args }: ToolCall,
  reader: Reader,
): Promise<unknown> {
  const { columns } = reads;
  const asked = () => askedBy(listQueryIn(args, document, [...columns.values()]), columns);
  const { models, next } = await reads.select(reader, () => ({ ...asked(), count: 'none' }));
  return { rows: JSON.parse(models) as unknown, ...(next === undefined ? {} : { nextCursor: next }) };
}

/** What has become of an approval that the caller has asked for. */
export async function readOutcome(
  { approvals }: AgentTool & { readonly does: 'outcome' },
  { args, caller }: ToolCall,
): Promise<ToolAnswer> {
  const id = idIn(args);
  const result = await approvals.outcomeFor(caller?.identity, id);
  if (result === undefined)
    throw new Problem('not-found', { detail: 'There is no such approval that you have asked for.' });
  return { status: 'done', result };
}

/** As in a URL. */
const longestId = 3_072;

async function oneRow({ reads }: ReadTool, { args }: ToolCall, reader: Reader): Promise<unknown> {
  const id = idIn(args);
  const row = await reads.row(reader, id);
  if (row === null) throw new Problem('not-found', { detail: `There is no row ${JSON.stringify(id)}.` });
  return row;
}

function idIn({ id, ...others }: JsonObject): string {
  if (typeof id !== 'string' || Object.keys(others).length > 0)
    throw new Problem('invalid-query', { detail: 'Pass id, as text, and nothing else.' });
  if (id.length > longestId)
    throw new Problem('invalid-query', { detail: `An id has at most ${longestId} characters.` });
  return id;
}

function keyIn(given: unknown): string | null {
  if (given === undefined || given === null) return null;
  if (typeof given === 'string' && given.length >= 1 && given.length <= 255) return given;
  const errors = [{ path: '/idempotencyKey', message: 'must be text of 1 to 255 characters' }];
  throw new Problem('invalid-command', { errors });
}

/** Decoded, because there every digit of a number counts; without defaults, which may be new each time. */
const asDecoded = (body: JsonObject, decoded: unknown): unknown =>
  isObject(decoded) ? Object.fromEntries(Object.keys(body).map((name) => [name, decoded[name]])) : body;

/** A client may call itself anything: this goes to the audit. */
const plainName = (client = ''): string =>
  shortName(client.replaceAll(/[^\p{L}\p{N} ._/-]/gu, '').trim()) || 'unknown';
