import type { QuarantinedCommand } from '../../actors/commands/command-quarantine.js';
import type { MetricsSnapshot } from '../../runtime/metrics.js';
import type { HostAnswers } from '../console/model/host-answers.js';

/** What is to be recorded of a host's requests because somebody looks at another one. */
export type RecordingLevel = 'nothing' | 'traces' | 'frames';

/** What one host wants of others, by their names; `*` is every other. */
export type Interest = Readonly<Record<string, Exclude<RecordingLevel, 'nothing'>>>;

/** A question that a host asks others through the supervisor. */
export interface PeerQuestion {
  readonly question: keyof HostAnswers;
  readonly args: readonly unknown[];
}

export interface PeerHost {
  readonly name: string;
  /** ISO 8601; unset while it is not ready. */
  readonly readyAt?: string;
}

/** Who wants what was recorded before it came. */
export interface ReplayTarget {
  readonly pid: number;
  readonly follower: number;
}

/** What a host process tells its supervisor. */
export type FromHost =
  /** The code is there; nothing runs yet. */
  | { readonly type: 'loaded' }
  /** It is not ready yet because it migrates; sent again and again while it does. */
  | { readonly type: 'migrating' }
  | { readonly type: 'ready'; readonly url: string }
  | { readonly type: 'beat'; readonly memory: number }
  /** Somebody asked it for the metrics of all hosts, or of one. */
  | { readonly type: 'metrics-wanted'; readonly id: number; readonly host?: string }
  | { readonly type: 'snapshot'; readonly id: number; readonly metrics: MetricsSnapshot }
  /** A question to one other host, or to all others. */
  | ({ readonly type: 'ask'; readonly id: number; readonly host?: string } & PeerQuestion)
  /** No value: it cannot say. */
  | { readonly type: 'answer'; readonly id: number; readonly value?: unknown }
  | { readonly type: 'interest'; readonly interest: Interest }
  | {
      readonly type: 'replay-wanted';
      readonly host?: string;
      readonly follower: number;
      readonly maxBytes: number;
    }
  /** For everybody who wants frames, or for one who just came. */
  | { readonly type: 'frames'; readonly frames: readonly string[]; readonly replay?: ReplayTarget }
  /** It ends now. */
  | { readonly type: 'failed'; readonly reason: string };

/** What it is told. */
export type ToHost =
  /** The token is one that was made for this start of all hosts. */
  | { readonly type: 'begin'; readonly name: string; readonly generatedToken?: string }
  /** All commands that are refused from now on. */
  | { readonly type: 'quarantine'; readonly commands: readonly QuarantinedCommand[] }
  | { readonly type: 'snapshot-wanted'; readonly id: number }
  /** No text: there is no such host. */
  | { readonly type: 'metrics'; readonly id: number; readonly text?: string }
  | ({ readonly type: 'asked'; readonly id: number } & PeerQuestion)
  /** By the names of those that answered. */
  | { readonly type: 'answers'; readonly id: number; readonly answers: Readonly<Record<string, unknown>> }
  /** Who is there, and what they want of this one. */
  | { readonly type: 'peers'; readonly hosts: readonly PeerHost[]; readonly wanted: RecordingLevel }
  | { readonly type: 'replay'; readonly replay: ReplayTarget; readonly maxBytes: number }
  | {
      readonly type: 'frames';
      readonly host: string;
      readonly frames: readonly string[];
      /** How many could not be passed on before these. */
      readonly missed: number;
      readonly follower?: number;
    };

export const heartbeatEveryMs = 250;

const fromHost = new Set([
  'loaded',
  'migrating',
  'ready',
  'beat',
  'metrics-wanted',
  'snapshot',
  'ask',
  'answer',
  'interest',
  'replay-wanted',
  'frames',
  'failed',
]);
const toHost = new Set([
  'begin',
  'quarantine',
  'snapshot-wanted',
  'metrics',
  'asked',
  'answers',
  'peers',
  'replay',
  'frames',
]);

/** A message of another kind is somebody else's. */
export const isFromHost = (message: unknown): message is FromHost => isOneOf(fromHost, message);
export const isToHost = (message: unknown): message is ToHost => isOneOf(toHost, message);

const isOneOf = (types: ReadonlySet<string>, message: unknown): boolean =>
  typeof message === 'object' && message !== null && 'type' in message && types.has(String(message.type));
