import { chosenHost } from './place.js';

/** What the link to this page brought along, for a host on another machine. */
const token = new URLSearchParams(location.search).get('t') ?? undefined;

/** Relative to the folder the page is in, for a proxy with a prefix. */
export function addressIn(path: string, query: Readonly<Record<string, string | undefined>> = {}): string {
  const url = new URL(`console/${path}`, document.baseURI);
  const all = { ...query, host: chosenHost.value, t: token };
  for (const [name, value] of Object.entries(all))
    if (value !== undefined && value !== '') url.searchParams.set(name, value);
  return url.href;
}

export async function read<T>(
  path: string,
  query: Readonly<Record<string, string | undefined>> = {},
  signal?: AbortSignal,
): Promise<T> {
  return answerOf(await fetch(addressIn(`api/${path}`, query), signal === undefined ? {} : { signal }));
}

export async function act<T>(path: string, body: unknown = {}): Promise<T> {
  const headers = { 'content-type': 'application/json' };
  return answerOf(
    await fetch(addressIn(`api/${path}`), { method: 'POST', headers, body: JSON.stringify(body) }),
  );
}

async function answerOf<T>(response: Response): Promise<T> {
  if (response.ok) return (await response.json()) as T;
  const problem = (await response.json().catch(() => ({}))) as { detail?: string; title?: string };
  throw new Refusal(problem.detail ?? problem.title ?? `The host answered ${response.status}.`);
}

/** What the host said instead of an answer. */
export class Refusal extends Error {}

export const reasonOf = (error: unknown): string =>
  error instanceof Refusal ? error.message : 'The host does not answer.';
