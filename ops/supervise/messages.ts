import type { MetricsSnapshot } from '../../runtime/metrics.js';

/** What a host process tells its supervisor. */
export type FromHost =
  /** The code is there; nothing runs yet. */
  | { readonly type: 'loaded' }
  | { readonly type: 'ready'; readonly url: string }
  | { readonly type: 'beat'; readonly memory: number }
  /** Somebody asked it for the metrics of all hosts, or of one. */
  | { readonly type: 'metrics-wanted'; readonly id: number; readonly host?: string }
  | { readonly type: 'snapshot'; readonly id: number; readonly metrics: MetricsSnapshot }
  /** It ends now. */
  | { readonly type: 'failed'; readonly reason: string };

/** What it is told. */
export type ToHost =
  | { readonly type: 'begin'; readonly name: string }
  | { readonly type: 'snapshot-wanted'; readonly id: number }
  /** No text: there is no such host. */
  | { readonly type: 'metrics'; readonly id: number; readonly text?: string };

export const beatEveryMs = 250;

const fromHost = new Set(['loaded', 'ready', 'beat', 'metrics-wanted', 'snapshot', 'failed']);
const toHost = new Set(['begin', 'snapshot-wanted', 'metrics']);

/** A message of another kind is somebody else's. */
export const isFromHost = (message: unknown): message is FromHost => isOneOf(fromHost, message);
export const isToHost = (message: unknown): message is ToHost => isOneOf(toHost, message);

const isOneOf = (types: ReadonlySet<string>, message: unknown): boolean =>
  typeof message === 'object' && message !== null && 'type' in message && types.has(String(message.type));
