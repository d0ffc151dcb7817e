export interface OutboxPart {
  figures(): Promise<OutboxFigures>;
  deadLetters(): Promise<readonly DeadLetterLine[]>;
  deadLetter(id: number): Promise<(DeadLetterLine & { readonly message: unknown }) | undefined>;
  /** False when there is none that could still be resolved so. */
  replay(id: number): Promise<boolean>;
  discard(id: number, reason: string | undefined): Promise<boolean>;
}

export interface OutboxFigures {
  readonly pending: number;
  /** There are more than were counted. */
  readonly more: boolean;
  readonly oldestAgeMs: number | undefined;
  readonly relay: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly dead: number;
}

export interface DeadLetterLine {
  readonly id: number;
  /** Whether it was to leave, or came from elsewhere. */
  readonly source: 'outbox' | 'inbox';
  readonly messageId: string;
  readonly messageType: string;
  readonly destination: string;
  readonly attempts: number;
  readonly lastError: string;
  readonly deadAt: string;
  readonly state: string;
}

/** The living relay, as far as the console shows it. */
export interface RelayFigures {
  readonly state: string;
  readonly counts: Readonly<Record<keyof never, number>>;
}
