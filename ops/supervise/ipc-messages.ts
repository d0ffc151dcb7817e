import type { QuarantinedCommand } from '../../actors/commands/quarantined-commands.js';
import type { MetricsSnapshot } from '../../runtime/metrics/metrics.js';
import type { HostAnswers } from '../console/model/host-answers.js';

/** What a host records of its requests because another host is being watched. */
export type RecordingLevel = 'nothing' | 'traces' | 'frames';

/** What one host requests of others, by name; `*` is every other host. */
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

/** The host that requested earlier frames. */
export interface ReplayTarget {
  readonly pid: number;
  readonly follower: number;
}

/** Messages from a host process to its supervisor. */
export type FromHost =
  /** The code is loaded; nothing runs yet. */
  | { readonly type: 'loaded' }
  /** It is not ready because it migrates; repeated while it does. */
  | { readonly type: 'migrating' }
  | { readonly type: 'ready'; readonly url: string }
  | { readonly type: 'heartbeat'; readonly memory: number }
  /** A request for the metrics of all hosts, or of one. */
  | { readonly type: 'metrics-wanted'; readonly id: number; readonly host?: string }
  | { readonly type: 'snapshot'; readonly id: number; readonly metrics: MetricsSnapshot }
  /** A question to one other host, or to all. */
  | ({ readonly type: 'ask'; readonly id: number; readonly host?: string } & PeerQuestion)
  /** Without a value: it has no answer. */
  | { readonly type: 'answer'; readonly id: number; readonly value?: unknown }
  | { readonly type: 'interest'; readonly interest: Interest }
  | {
      readonly type: 'replay-wanted';
      readonly host?: string;
      readonly follower: number;
      readonly maxBytes: number;
    }
  /** For every host that wants frames, or for one that just attached. */
  | { readonly type: 'frames'; readonly frames: readonly string[]; readonly replay?: ReplayTarget }
  /** It is exiting now. */
  | { readonly type: 'failed'; readonly reason: string };

/** What a host process needs to start as a certain host. */
export interface Beginning {
  readonly name: string;
  /** Generated for this start of all hosts. */
  readonly generatedToken?: string;
  /** The commands that are refused from its first request on. */
  readonly quarantined: readonly QuarantinedCommand[];
}

/** Messages from the supervisor to a host process. */
export type ToHost =
  | ({ readonly type: 'begin' } & Beginning)
  /** All commands that are refused from now on. */
  | { readonly type: 'quarantine'; readonly commands: readonly QuarantinedCommand[] }
  | { readonly type: 'snapshot-wanted'; readonly id: number }
  /** Without a text: there is no such host. */
  | { readonly type: 'metrics'; readonly id: number; readonly text?: string }
  | ({ readonly type: 'asked'; readonly id: number } & PeerQuestion)
  /** By the names of the hosts that answered. */
  | { readonly type: 'answers'; readonly id: number; readonly answers: Readonly<Record<string, unknown>> }
  /** The other hosts, and what they request of this one. */
  | { readonly type: 'peers'; readonly hosts: readonly PeerHost[]; readonly wanted: RecordingLevel }
  | { readonly type: 'replay'; readonly replay: ReplayTarget; readonly maxBytes: number }
  | {
      readonly type: 'frames';
      readonly host: string;
      readonly frames: readonly string[];
      /** The number of frames dropped before these. */
      readonly missed: number;
      readonly follower?: number;
    };

export const heartbeatEveryMs = 250;

const fromHost = new Set([
  'loaded',
  'migrating',
  'ready',
  'heartbeat',
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

/** Ignore messages of other kinds: they belong to other code. */
export const isFromHost = (message: unknown): message is FromHost => isOneOf(fromHost, message);
export const isToHost = (message: unknown): message is ToHost => isOneOf(toHost, message);

const isOneOf = (types: ReadonlySet<string>, message: unknown): boolean =>
  typeof message === 'object' && message !== null && 'type' in message && types.has(String(message.type));
