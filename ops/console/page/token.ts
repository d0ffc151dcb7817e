import { signal } from '@preact/signals';

const storageKey = 'svc-token';

/** Allows watching or operator actions; kept for this tab only. */
export const token = signal<string | undefined>(
  tokenInAddress() ?? sessionStorage.getItem(storageKey) ?? undefined,
);

/** The URL without the token. */
export const hashAtStart = location.hash;

interface TokenQuestion {
  /** The host's reason. */
  readonly why: string;
  readonly answer: (given: string | undefined) => void;
}

export const tokenAsked = signal<TokenQuestion | undefined>(undefined);
let asking: Promise<string | undefined> | undefined;
let isDeclined = false;

/** False while the user is asked for a token, and after they gave none. */
export const mayReconnect = (): boolean => asking === undefined && !isDeclined;

/** Asks the user once, however many requests were refused; undefined if nothing is given. */
export function askForToken(why: string, insist = false): Promise<string | undefined> {
  if (isDeclined && !insist) return Promise.resolve(undefined);
  const text = token.peek() === undefined ? why : `That token was not accepted. ${why}`;
  asking ??= new Promise<string | undefined>((resolve) => {
    tokenAsked.value = { why: text, answer: resolve };
  }).then((given) => {
    asking = undefined;
    tokenAsked.value = undefined;
    isDeclined = given === undefined;
    if (given !== undefined) storeToken(given);
    return given;
  });
  return asking;
}

/** Sent in this header only, so that a page of another site cannot send it. */
export const bearer = (): Record<string, string> =>
  token.peek() === undefined ? {} : { authorization: `Bearer ${token.peek() ?? ''}` };

function storeToken(given: string): void {
  sessionStorage.setItem(storageKey, given);
  token.value = given;
}

/** A link may carry the token and must not keep it: a URL is shown, copied and remembered. */
function tokenInAddress(): string | undefined {
  const { hash, search, pathname } = location;
  const given = /^#t=(.+)$/.exec(hash)?.[1];
  const givenToken = given === undefined ? new URLSearchParams(search).get('t') : decodeURIComponent(given);
  if (givenToken === null || givenToken === '') return undefined;
  sessionStorage.setItem(storageKey, givenToken);
  history.replaceState(null, '', `${pathname}${given === undefined ? hash : ''}`);
  return givenToken;
}
