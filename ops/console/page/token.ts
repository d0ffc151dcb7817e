import { signal } from '@preact/signals';

const storageKey = 'svc-token';

/** Opens looking or acting; kept for this tab alone. */
export const token = signal<string | undefined>(
  tokenInAddress() ?? sessionStorage.getItem(storageKey) ?? undefined,
);

/** What the address says once the token is taken out of it. */
export const hashAtStart = location.hash;

interface TokenQuestion {
  /** What the host said. */
  readonly why: string;
  readonly answer: (given: string | undefined) => void;
}

export const tokenAsked = signal<TokenQuestion | undefined>(undefined);
let asking: Promise<string | undefined> | undefined;
let isDeclined = false;

/** Not while the reader is being asked for a token, nor after they gave none. */
export const mayReconnect = (): boolean => asking === undefined && !isDeclined;

/** Asks the reader once, however many requests were refused; undefined when nothing is given. */
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

/** The header that carries it; nothing else does, so that no page of another site can send it. */
export const bearer = (): Record<string, string> =>
  token.peek() === undefined ? {} : { authorization: `Bearer ${token.peek() ?? ''}` };

function storeToken(given: string): void {
  sessionStorage.setItem(storageKey, given);
  token.value = given;
}

/** A link may bring it, and must not keep it: an address is shown, copied and remembered. */
function tokenInAddress(): string | undefined {
  const { hash, search, pathname } = location;
  const given = /^#t=(.+)$/.exec(hash)?.[1];
  const givenToken = given === undefined ? new URLSearchParams(search).get('t') : decodeURIComponent(given);
  if (givenToken === null || givenToken === '') return undefined;
  sessionStorage.setItem(storageKey, givenToken);
  history.replaceState(null, '', `${pathname}${given === undefined ? hash : ''}`);
  return givenToken;
}
