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
import { isStorable } from '../store/storable-text.js';
import { replaceField } from './replace-field.js';
import { keyIdIn, openText, type SubjectKey, sealText } from './sealed-text.js';
import type { SubjectKeys } from './subject-keys.js';

const maxSubjectLength = 1_000;

/** Seals and opens the fields that the events of a service declare. */
export class SubjectSealing implements Sealing {
  /** By the name of the event. */
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

  async #sealEvent({ envelope, streamId }: SealableEvent, fields: readonly SealedField[]): Promise<unknown> {
    const { messageId: eventId, messageType } = envelope;
    const subjects = new Set<string>();
    for (const field of fields)
      replaceField(envelope.payload, field, (value, path, owner) => {
        if (value !== undefined && value !== null)
          subjects.add(subjectOf(field, owner, envelope.payload, `${messageType}${path}`));
        return value;
      });
    const keys = new Map<string, SubjectKey | undefined>();
    for (const subject of subjects) keys.set(subject, await this.keys.keyOf(subject, streamId));
    return fields.reduce(
      (payload, field) =>
        replaceField(payload, field, (value, path, owner) => {
          if (value === undefined || value === null) return value;
          const where = `${messageType}${path}`;
          const key = keys.get(subjectOf(field, owner, envelope.payload, where));
          return key === undefined ? null : sealText(jsonOf(value, where), key, { eventId, path });
        }),
      envelope.payload,
    );
  }

  #openEvent({ event, isForeign }: SealedEvent, keys: ReadonlyMap<Uuid, SubjectKey>): unknown {
    const { messageId: eventId, messageType, payload, sealed = [] } = event;
    return (this.fields.get(messageType) ?? []).reduce(
      (opened, field) =>
        replaceField(opened, field, (value, path) => {
          const id = keyIdIn(value);
          if (id === undefined) {
            // Without the note it was stored before the field had a subject.
            if (value !== null && isForeign !== true && sealed.includes(nameOf(field)))
              throw replaced(eventId, path);
            return value;
          }
          // Another store could send our ciphertext back beside values of its own choice.
          const key = isForeign === true ? undefined : keys.get(id);
          return key === undefined ? null : openText(value as string, key, { eventId, path });
        }),
      payload,
    );
  }
}

/** As events note that it was sealed. */
const nameOf = ({ path }: SealedField): string => path.map((step) => step ?? '*').join('/');

const replaced = (eventId: Uuid, path: string): Problem =>
  new Problem('sealed-value-refused', {
    detail: `The value at ${path} of event ${eventId} was stored encrypted and is plain now.`,
  });

const noKeys: ReadonlyMap<Uuid, SubjectKey> = new Map();

function subjectOf(
  { subject, subjectIn }: SealedField,
  owner: unknown,
  event: unknown,
  where: string,
): string {
  const holder = (subjectIn === 'event' ? event : owner) as Readonly<Record<string, unknown>> | undefined;
  const id = holder?.[subject];
  if (typeof id === 'string' && id !== '' && id.length <= maxSubjectLength && isStorable(JSON.stringify(id)))
    return id;
  throw new Problem('invalid-event', {
    detail: `${where} cannot be stored: ${subject} must be the id of its subject, a text of 1 to ${maxSubjectLength} characters.`,
  });
}

function jsonOf(value: unknown, where: string): string {
  const json = JSON.stringify(value);
  if (typeof json === 'string' && isStorable(json)) return json;
  throw new Problem('invalid-event', {
    detail: `${where} cannot be stored: U+0000 and unpaired surrogates are not allowed.`,
  });
}
