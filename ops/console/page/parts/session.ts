import { signal } from '@preact/signals';

/** Who is signed in, as the host names them. */
export const user = signal<string | undefined>(undefined);

const linked = tokenInAddress();

/** The URL without the token. */
export const hashAtStart = location.hash;

interface SignInQuestion {
  /** Why the host asks. */
  readonly why: string;
  readonly answer: (given: string | undefined) => void;
}

export const signInQuestion = signal<SignInQuestion | undefined>(undefined);
let asking: Promise<boolean> | undefined;
let isDeclined = false;

/** False while the user is asked to sign in, and after they did not. */
export const mayReconnect = (): boolean => asking === undefined && !isDeclined;

/** Signs in with the token of a link, otherwise finds out who is signed in. */
export async function resumeSession(): Promise<void> {
  if (linked === undefined) await session('GET').catch(() => undefined);
  else await signIn(linked);
}

/** Asks the user to sign in once, however many requests were refused; false if they do not. */
export function askToSignIn(why: string, insist = false): Promise<boolean> {
  if (isDeclined && !insist) return Promise.resolve(false);
  asking ??= signInUntilAccepted(why).finally(() => {
    asking = undefined;
  });
  return asking;
}

async function signInUntilAccepted(why: string): Promise<boolean> {
  let text = why;
  for (;;) {
    const given = await answerTo(text);
    isDeclined = given === undefined;
    if (given === undefined) return false;
    const refusal = await signIn(given);
    if (refusal === undefined) return true;
    text = `${refusal} ${why}`;
  }
}

async function answerTo(why: string): Promise<string | undefined> {
  const given = await new Promise<string | undefined>((answer) => {
    signInQuestion.value = { why, answer };
  });
  signInQuestion.value = undefined;
  return given;
}

/** The host keeps the credential in a cookie that no script can read; returns why it does not. */
async function signIn(credential: string): Promise<string | undefined> {
  try {
    const response = await session('POST', { credential });
    if (response.ok) return undefined;
    if (response.status === 401) return 'That token or key was not accepted.';
    const { detail } = (await response.json()) as { readonly detail?: string };
    return detail ?? `The host answered ${response.status}.`;
  } catch {
    return 'The host is not responding.';
  }
}

export async function signOut(): Promise<void> {
  await session('DELETE');
  location.reload();
}

async function session(method: string, body?: unknown): Promise<Response> {
  const response = await fetch(new URL('console/session', document.baseURI), {
    method,
    ...(body === undefined
      ? {}
      : { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
  });
  if (response.ok) user.value = ((await response.json()) as { user: string | null }).user ?? undefined;
  return response;
}

/** A link may carry the token and must not keep it: a URL is shown, copied and remembered. */
function tokenInAddress(): string | undefined {
  const { hash, search, pathname } = location;
  const given = /^#t=(.+)$/.exec(hash)?.[1];
  const token = given === undefined ? new URLSearchParams(search).get('t') : decodeURIComponent(given);
  if (token === null || token === '') return undefined;
  history.replaceState(null, '', `${pathname}${given === undefined ? hash : ''}`);
  return token;
}
