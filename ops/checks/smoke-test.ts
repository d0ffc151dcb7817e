import { Problem } from '../../contracts/problems.js';
import { newUuid } from '../../contracts/uuid.js';
import { type DeclaredSmokeTest, smokeTestMember } from '../host/declared-smoke-test.js';
import { askAgain, isUnavailable } from './ask-again.js';
import type { BoundedAnswer, BoundedRequest } from './bounded-fetch.js';

/** Sends a request to the host that is checked. */
export type Send = (path: string, request?: BoundedRequest) => Promise<BoundedAnswer>;

/** Reads the smoke test in an OpenAPI document; undefined if it declares none. */
export function smokeTestIn(openApi: string): DeclaredSmokeTest | undefined {
  const { [smokeTestMember]: declared } = objectIn(openApi);
  if (declared === undefined) return undefined;
  const { create, read } = (declared ?? {}) as Partial<DeclaredSmokeTest>;
  if (!isPath(create?.path) || !isPath(read?.path) || typeof create?.body !== 'object')
    throw wrong(`The host declares a smoke test that cannot be read (${smokeTestMember} in /openapi.json).`);
  return { create: { path: create.path, body: create.body }, read: { path: read.path } };
}

/** A path of the host itself, never of another server. */
const isPath = (value: unknown): value is string =>
  typeof value === 'string' && /^\/(?![/\\])[!-~]*$/.test(value);

/** The correlation id of everything that a smoke test stores starts with this. */
const prefix = 'smoke-test-';

/** Creates once, even if it has to try again; returns the fields of the answer. */
export async function runCreate(
  { create: { path, body } }: DeclaredSmokeTest,
  send: Send,
  id: string = newUuid(),
  withinMs?: number,
): Promise<Readonly<Record<string, unknown>>> {
  const headers = {
    'content-type': 'application/json',
    'idempotency-key': `${prefix}${id}`,
    'x-correlation-id': `${prefix}${id}`,
    prefer: 'wait=5',
  };
  const text = JSON.stringify(body).replaceAll('{smokeTestId}', id);
  const post = () => send(path, { method: 'POST', headers, body: text });
  const answer = await askAgain(post, isUnavailable, withinMs);
  if (answer.status < 200 || answer.status > 299) throw wrong(`POST ${path} answered ${problemIn(answer)}.`);
  return answer.status === 204 ? {} : objectIn(answer.text);
}

/** The read model may be a moment behind: reads until it has the row, or the time is over. */
export async function runRead(
  { read }: DeclaredSmokeTest,
  created: Readonly<Record<string, unknown>>,
  send: Send,
  withinMs?: number,
): Promise<string> {
  const path = read.path.replaceAll(/\{(\w{1,64})\}/g, (_, name: string) => fieldOf(created, name));
  const isBehind = (answer: BoundedAnswer) => answer.status === 404 || isUnavailable(answer);
  const answer = await askAgain(() => send(path), isBehind, withinMs);
  if (answer.status !== 200) throw wrong(`GET ${path} answered ${problemIn(answer)}.`);
  return path;
}

function fieldOf(created: Readonly<Record<string, unknown>>, name: string): string {
  const value = Object.hasOwn(created, name) ? created[name] : undefined;
  if (typeof value === 'string' || typeof value === 'number') return encodeURIComponent(value);
  throw wrong(`The answer to the create has no field '${name}'.`);
}

function objectIn(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value as Readonly<Record<string, unknown>>;
  } catch {
    // Not JSON at all: the same answer.
  }
  throw wrong('The host did not answer with a JSON object.');
}

/** The status, with the title and the detail of a problem. */
export function problemIn({ status, text }: BoundedAnswer): string {
  try {
    const { title = '', detail = '' } = JSON.parse(text) as {
      readonly title?: string;
      readonly detail?: string;
    };
    const reason = [title, detail].filter((part) => typeof part === 'string' && part !== '').join(': ');
    return `${status}${reason === '' ? '' : ` (${reason})`}${adviceFor(status)}`;
  } catch {
    return `${status}${adviceFor(status)}`;
  }
}

const adviceFor = (status: number): string =>
  status === 401 ? '; set SVC_CHECK_KEY, or give --key, to an API key or a token of the host' : '';

const wrong = (detail: string): Problem => new Problem('invalid-setup', { detail });
