import { Problem } from '../../contracts/problems.js';
import type { Uuid } from '../../contracts/scalars.js';
import type {
  Opened,
  SealableEvent,
  SealedEvent,
  SealedField,
  SealedMessage,
  SealedPayload,
  Sealing,
} from '../../contracts/sealing.js';
import { isStorable } from '../lang/storable-text.js';
import { replaceField } from './replace-field.js';
import {
  carriedText,
  keyIdIn,
  openText,
  readCarried,
  type SealedPlace,
  sealText,
  type SubjectKey,
} from './sealed-text.js';
import type { SubjectKeys } from './subject-keys.js';

const maxSubjectLength = 1_000;

/** Seals and opens the fields that the events and commands of a service declare. */
export class SubjectSealing implements Sealing {
  /** By the name of the message. */
  private readonly fields: ReadonlyMap<string, readonly SealedField[]>;

  constructor(
    sealed: readonly SealedMessage[],
    private readonly keys: SubjectKeys,
  ) {
    this.fields = new Map(sealed.map(({ type, fields }) => [type.name, fields]));
  }

  has(type: string): boolean {
    return this.fields.has(type);
  }

  async seal<T extends SealableEvent>(events: readonly T[]): Promise<ReadonlyMap<T, SealedPayload>> {
    const sealed = new Map<T, SealedPayload>();
    for (const event of events) {
      const fields = this.fields.get(event.envelope.messageType);
      if (fields === undefined) continue;
      sealed.set(event, { payload: await this.#sealEvent(event, fields), fields: fields.map(nameOf) });
    }
    return sealed;
  }

  async open(events: readonly SealedEvent[]): Promise<readonly Opened[]> {
    const ids = new Set<Uuid>();
    for (const { event, isForeign } of events)
      for (const field of isForeign === true ? [] : (this.fields.get(event.messageType) ?? []))
        replaceField(event.payload, field, (value) => {
          const id = keyIdIn(value);
          if (id !== undefined) ids.add(id);
          return value;
        });
    const keys = ids.size === 0 ? noKeys : await this.keys.existing([...ids]);
    return events.map((sealed) => {
      try {
        return { payload: this.#openEvent(sealed, keys) };
      } catch (fault) {
        return { fault };
      }
    });
  }

  carry({ event, isForeign }: SealedEvent): unknown {
    const { messageId: of, messageType, payload, sealed = [] } = event;
    return (this.fields.get(messageType) ?? []).reduce(
      (carried, field) =>
        replaceField(carried, field, (value, path) => {
          if (keyIdIn(value) !== undefined)
            return isForeign === true ? null : carriedText(value as string, { of, path });
          if (isForeign !== true) mustBePlain(value, field, sealed, { of, path });
          return value;
        }),
      payload,
    );
  }

  async sealCommand(type: string, body: unknown, id: Uuid): Promise<unknown> {
    const fields = this.fields.get(type);
    if (fields === undefined) return body;
    const ids = new Set<Uuid>();
    for (const field of fields)
      replaceField(body, field, (value) => {
        const carried = readCarried(value);
        if (carried !== undefined) ids.add(carried.keyId);
        return value;
      });
    const keys = ids.size === 0 ? noKeys : await this.keys.existing([...ids]);
    // What a reaction hands on is sealed already; a client can send a text that only looks so.
    const isPlain = (value: unknown) => !isCarried(value, keys);
    return this.#sealed({ type, id, payload: body }, fields, isPlain, carriedText);
  }

  async openCommand<T extends object>(command: T): Promise<T> {
    const { name } = command.constructor;
    const fields = this.fields.get(name) ?? [];
    const found: (readonly [keyId: Uuid, subject: string])[] = [];
    for (const field of fields)
      replaceField(command, field, (value, path, owner) => {
        const carried = readCarried(value);
        if (carried !== undefined)
          found.push([carried.keyId, subjectOf(field, owner, command, `${name}${path}`)]);
        return value;
      });
    if (found.length === 0) return command;
    const keys = await this.keys.existing([...new Set(found.map(([keyId]) => keyId))]);
    for (const [id, subject] of found)
      if (keys.has(id) && (await this.keys.keyOf(subject))?.id !== id) throw ofAnother(name);
    const opened = fields.reduce<unknown>(
      (body, field) => replaceField(body, field, (value) => openCarried(value, keys)),
      command,
    );
    return Object.assign(Object.create(Object.getPrototypeOf(command) as object) as T, opened);
  }

  #sealEvent({ envelope, streamId }: SealableEvent, fields: readonly SealedField[]): Promise<unknown> {
    const { messageId: id, messageType: type, payload } = envelope;
    return this.#sealed(
      { type, id, payload, streamId },
      fields,
      () => true,
      (text) => text,
    );
  }

  /** The payload with the plain values of its fields sealed. */
  async #sealed(
    { type, id: of, payload, streamId }: Sealable,
    fields: readonly SealedField[],
    isPlain: (value: unknown) => boolean,
    textOf: (sealed: string, place: SealedPlace) => string,
  ): Promise<unknown> {
    const isSealable = (value: unknown) => value !== undefined && value !== null && isPlain(value);
    const subjects = new Set<string>();
    for (const field of fields)
      replaceField(payload, field, (value, path, owner) => {
        if (isSealable(value)) subjects.add(subjectOf(field, owner, payload, `${type}${path}`));
        return value;
      });
    const keys = new Map<string, SubjectKey | undefined>();
    for (const subject of subjects) keys.set(subject, await this.keys.keyOf(subject, streamId));
    return fields.reduce(
      (sealed, field) =>
        replaceField(sealed, field, (value, path, owner) => {
          if (!isSealable(value)) return value;
          const where = `${type}${path}`;
          const key = keys.get(subjectOf(field, owner, payload, where));
          const place = { of, path };
          return key === undefined ? null : textOf(sealText(jsonOf(value, where), key, place), place);
        }),
      payload,
    );
  }

  #openEvent({ event, isForeign }: SealedEvent, keys: ReadonlyMap<Uuid, SubjectKey>): unknown {
    const { messageId: of, messageType, payload, sealed = [] } = event;
    return (this.fields.get(messageType) ?? []).reduce(
      (opened, field) =>
        replaceField(opened, field, (value, path) => {
          const id = keyIdIn(value);
          if (id === undefined) {
            if (isForeign !== true) mustBePlain(value, field, sealed, { of, path });
            return value;
          }
          // Another store could send our ciphertext back beside values of its own choice.
          const key = isForeign === true ? undefined : keys.get(id);
          return key === undefined ? null : openText(value as string, key, { of, path });
        }),
      payload,
    );
  }
}

interface Sealable {
  readonly type: string;
  readonly id: Uuid;
  readonly payload: unknown;
  /** Unset: it is not stored in a stream. */
  readonly streamId?: Uuid;
}

function openCarried(value: unknown, keys: ReadonlyMap<Uuid, SubjectKey>): unknown {
  const carried = readCarried(value);
  if (carried === undefined) return value;
  const key = keys.get(carried.keyId);
  return key === undefined ? null : openText(carried.sealed, key, carried.place);
}

function isCarried(value: unknown, keys: ReadonlyMap<Uuid, SubjectKey>): boolean {
  const carried = readCarried(value);
  const key = carried && keys.get(carried.keyId);
  if (carried === undefined || key === undefined) return false;
  try {
    openText(carried.sealed, key, carried.place);
    return true;
  } catch {
    return false;
  }
}

/** As events note that it was sealed. */
const nameOf = ({ path }: SealedField): string => path.map((step) => step ?? '*').join('/');

/** Without the note, the event was stored before the field had a subject. */
function mustBePlain(
  value: unknown,
  field: SealedField,
  sealed: readonly string[],
  { of, path }: SealedPlace,
): void {
  // Only who alters events writes anything but a list.
  if (value === null || (Array.isArray(sealed) && !sealed.includes(nameOf(field)))) return;
  throw new Problem('sealed-value-refused', {
    detail: `The value at ${path} of event ${of} was stored encrypted, but is plain text now.`,
  });
}

/** What one subject has let go of must not be read in the name of another. */
const ofAnother = (command: string): Problem =>
  new Problem('sealed-value-refused', {
    detail: `${command} contains a sealed value of a subject other than the one it names.`,
  });

/** Who may choose the id of a subject must not choose the key of something else. */
const reserved = /^(?:archive|webhook):/;

const noKeys: ReadonlyMap<Uuid, SubjectKey> = new Map();

function subjectOf(
  { subject, subjectIn }: SealedField,
  owner: unknown,
  event: unknown,
  where: string,
): string {
  const holder = (subjectIn === 'event' ? event : owner) as Readonly<Record<string, unknown>> | undefined;
  const id = holder?.[subject];
  if (typeof id === 'string' && reserved.test(id))
    throw new Problem('invalid-event', {
      detail: `${where} has no key: ${subject} must not begin with archive: or webhook:, whose keys are the runtime's own.`,
    });
  if (typeof id === 'string' && id !== '' && id.length <= maxSubjectLength && isStorable(JSON.stringify(id)))
    return id;
  throw new Problem('invalid-event', {
    detail: `${where} has no key: ${subject} must be the id of its subject, a text of 1 to ${maxSubjectLength} characters.`,
  });
}

function jsonOf(value: unknown, where: string): string {
  const json = JSON.stringify(value);
  if (typeof json === 'string' && isStorable(json)) return json;
  throw new Problem('invalid-event', {
    detail: `${where} cannot be stored: U+0000 and unpaired surrogates are not allowed.`,
  });
}
