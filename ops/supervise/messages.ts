/** What a host process tells its supervisor. */
export type FromHost =
  /** The code is there; nothing runs yet. */
  | { readonly type: 'loaded' }
  | { readonly type: 'ready'; readonly url: string }
  | { readonly type: 'beat'; readonly memory: number }
  /** It ends now. */
  | { readonly type: 'failed'; readonly reason: string };

/** What it is told. */
export interface ToHost {
  readonly type: 'begin';
  readonly name: string;
}

export const beatEveryMs = 250;

const known = new Set(['loaded', 'ready', 'beat', 'failed', 'begin']);

/** A message of another kind is somebody else's. */
export const isOurs = (message: unknown): message is FromHost | ToHost =>
  typeof message === 'object' && message !== null && 'type' in message && known.has(String(message.type));
