import type { StoredEvent } from './event-store.js';
import type { Envelope, MessageClass } from './message.js';
import type { Uuid } from './scalars.js';

/** A field of an event or a command whose value is stored encrypted with the key of a subject. */
export interface SealedField {
  /** The path from the top of the message; null: every item of an array or a map. */
  readonly path: readonly (string | null)[];
  /** The name of the field with the id of the subject. */
  readonly subject: string;
  /** Whether that field is beside the sealed one, or at the top of the message. */
  readonly subjectIn: 'object' | 'event';
}

/** An event or a command, and its fields that are stored encrypted. */
export interface SealedMessage {
  readonly type: MessageClass;
  readonly fields: readonly SealedField[];
}

/** Wraps the keys of subjects, for example with a key management service; only it knows the master key. */
export interface KeyWrapper {
  /** `context` is the id of the key: `unwrap` must reject a wrapped key under another one. */
  wrap(key: Uint8Array, context: string): Promise<Uint8Array>;
  unwrap(wrapped: Uint8Array, context: string): Promise<Uint8Array>;
}

/** An event that is about to be stored. */
export interface SealableEvent {
  readonly streamId: Uuid;
  readonly envelope: Envelope;
}

/** The stored form of an event that has sealed fields. */
export interface SealedPayload {
  readonly payload: unknown;
  /** The fields that hold no plain value, such as `email`. */
  readonly fields: readonly string[];
}

/** A stored event whose values may be sealed. */
export interface SealedEvent {
  readonly event: Pick<StoredEvent, 'messageId' | 'messageType' | 'payload' | 'sealed'>;
  /** Another store wrote it: this store does not have its keys. */
  readonly isForeign?: boolean;
}

/** A payload with plain values, or the reason why it cannot be opened: it was changed. */
export type Opened = { readonly payload: unknown } | { readonly fault: unknown };

/** Seals the values of subjects before events are stored, and opens them when events are read. */
export interface Sealing {
  /** Whether messages of this type have sealed fields. */
  has(type: string): boolean;
  /** The payloads to store, for those events that have sealed fields. */
  seal<T extends SealableEvent>(events: readonly T[]): Promise<ReadonlyMap<T, SealedPayload>>;
  /** In the same order; the value of a forgotten subject is null. */
  open(events: readonly SealedEvent[]): Promise<readonly Opened[]>;
  /** The payload for a reaction or a process: its values stay encrypted, and can be passed on in commands. */
  carry(event: SealedEvent): unknown;
  /** The body of a command as the timer of this id stores it. */
  sealCommand(type: string, body: unknown, id: Uuid): Promise<unknown>;
  /** A copy of the command with the values that were passed on in it; the value of a forgotten subject is null. */
  openCommand<T extends object>(command: T): Promise<T>;
}
