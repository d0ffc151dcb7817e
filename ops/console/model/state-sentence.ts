import type { HealthFigures } from './health.js';
import type { HostItem } from './overview.js';

/** Green, amber and red; `quiet` before there is anything to judge, `lost` when nothing on the page is current. */
export type StateLevel = 'good' | 'warn' | 'bad' | 'quiet' | 'lost';

/** What the page knows; a part that the host does not have is absent. */
export interface StateFacts {
  readonly connection: 'connecting' | 'live' | 'lost';
  /** How long the host has sent nothing. */
  readonly silentMs: number;
  readonly health?: HealthFigures | undefined;
  /** The parts that the host cannot read at the moment. */
  readonly failingParts?: readonly string[];
  readonly outbox?: { readonly pending: number; readonly dead: number } | undefined;
  readonly perspectives?:
    | readonly {
        readonly name: string;
        readonly parked?: number | undefined;
        readonly rebuild?:
          | { readonly done: number; readonly total: number; readonly step?: string | undefined }
          | undefined;
      }[]
    | undefined;
  /** Requests that have been running for a while. */
  readonly inFlight?: readonly RunningRequest[] | undefined;
  /** The latest requests. */
  readonly recent?: RecentRequests | undefined;
  /** All hosts known to a monitor. */
  readonly hosts?: readonly HostItem[] | undefined;
}

interface RunningRequest {
  readonly command: string;
  readonly ms: number;
}

/** The requests of the last minute, or of as much of it as the page has seen. */
export interface RecentRequests {
  readonly seconds: number;
  readonly requests: number;
  readonly crashed: number;
  readonly rejected: number;
}

export interface StateSentence {
  readonly level: StateLevel;
  readonly text: string;
  /** ISO 8601. */
  readonly since?: string | undefined;
  /** The panel that shows more. */
  readonly panel: 'overview' | 'requests' | 'perspectives' | 'processes' | 'stuck' | 'outbox' | 'health';
  /** What else is true. */
  readonly also?: readonly string[];
}

export interface Fault extends StateSentence {
  /** The same while its counts change. */
  readonly cause: string;
}

export const sentence = (level: StateLevel, text: string, panel: StateSentence['panel']): StateSentence => ({
  level,
  text,
  panel,
});

export const fault = (cause: string, ...given: Parameters<typeof sentence>): Fault => ({
  ...sentence(...given),
  cause,
});

const levels: readonly StateLevel[] = ['good', 'quiet', 'warn', 'bad', 'lost'];
export const gravityOf = ({ level }: Pick<StateSentence, 'level'>): number => levels.indexOf(level);

/** `1 of 3 hosts is`. */
export const some = (part: number, all: number, what: string): string =>
  `${part} of ${all} ${all === 1 ? what : `${what}s`} ${part === 1 ? 'is' : 'are'}`;

/** `in the last minute`. */
export const within = ({ seconds }: RecentRequests): string =>
  seconds >= 55 ? 'in the last minute' : `in the last ${Math.max(1, Math.round(seconds))} s`;
