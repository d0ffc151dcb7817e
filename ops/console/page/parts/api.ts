import { chosenHost } from './navigation.js';
import { askToSignIn } from './session.js';

/** Relative to the page's folder, for a proxy with a prefix. */
export function addressIn(path: string, query: Readonly<Record<string, string | undefined>> = {}): string {
  const url = new URL(`console/${path}`, document.baseURI);
  const all = { ...query, host: chosenHost.value };
  for (const [name, value] of Object.entries(all))
    if (value !== undefined && value !== '') url.searchParams.set(name, value);
  return url.href;
}

export async function read<T>(
  path: string,
  query: Readonly<Record<string, string | undefined>> = {},
  signal?: AbortSignal,
): Promise<T> {
  return signedIn(() => fetch(addressIn(`api/${path}`, query), signal === undefined ? {} : { signal }));
}

export async function act<T>(path: string, body: unknown = {}): Promise<T> {
  return signedIn(() => post(addressIn(`api/${path}`), body), true);
}

/** Routes of the service that take the session of a page: the answer is what the signed-in person may see. */
export const readAsUser = <T>(path: string, signal?: AbortSignal): Promise<T> =>
  signedIn(() => fetch(new URL(path, document.baseURI), signal === undefined ? {} : { signal }));

export const actAsUser = <T>(path: string, body: unknown): Promise<T> =>
  signedIn(() => post(new URL(path, document.baseURI), body), true);

const post = (url: string | URL, body: unknown): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

/** If the host asks who the user is, they sign in, or do not. */
async function signedIn<T>(send: () => Promise<Response>, insist = false): Promise<T> {
  for (;;) {
    const response = await send();
    if (response.status !== 401) return answerOf(response);
    const refusal = await refusalOf(response);
    if (!(await askToSignIn(refusal.message, insist))) throw refusal;
  }
}

async function answerOf<T>(response: Response): Promise<T> {
  if (response.ok) return (await response.json()) as T;
  throw await refusalOf(response);
}

async function refusalOf(response: Response): Promise<HostRefusal> {
  const problem = (await response.json().catch(() => ({}))) as { detail?: string; title?: string };
  return new HostRefusal(problem.detail ?? problem.title ?? `The host answered ${response.status}.`);
}

/** The reason of a refusal. */
class HostRefusal extends Error {}

export const reasonOf = (error: unknown): string =>
  error instanceof HostRefusal ? error.message : 'The host is not responding.';
