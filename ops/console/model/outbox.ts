import type { ActedBy } from './acted-by.js';

export interface OutboxPart {
  figures(): Promise<OutboxFigures>;
  deadLetters(): Promise<readonly DeadLetterItem[]>;
  deadLetter(id: number): Promise<(DeadLetterItem & { readonly message: unknown }) | undefined>;
  /** False if no such dead letter can still be resolved this way. */
  replay(id: number, by: ActedBy): Promise<boolean>;
  discard(id: number, by: ActedBy): Promise<boolean>;
}

export interface OutboxFigures {
  readonly pending: number;
  /** Whether there are more than were counted. */
  readonly more: boolean;
  readonly oldestAgeMs: number | undefined;
  readonly relay: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly dead: number;
}

export interface DeadLetterItem {
  readonly id: number;
  /** Whether it was to be published, or was received. */
  readonly source: 'outbox' | 'inbox';
  readonly messageId: string;
  readonly messageType: string;
  readonly destination: string;
  readonly attempts: number;
  readonly lastError: string;
  readonly deadAt: string;
  readonly state: string;
}

/** The relay, as far as the console shows it. */
export interface RelayFigures {
  readonly state: string;
  readonly counts: Readonly<Record<keyof never, number>>;
}
