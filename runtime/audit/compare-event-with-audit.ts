import { redacted } from '../../contracts/redaction.js';
import { storedDigest } from './stored-digest.js';

/** What an EventAudited holds about its event, and its own position. */
export interface AuditedValues {
  readonly type: unknown;
  readonly streamId: unknown;
  readonly position: unknown;
  readonly body: unknown;
  /** Undefined for an audit that was emitted by hand, which may lack parts of the envelope. */
  readonly recorded?: EnvelopeValues | undefined;
  /** What else the hash of the audit covers; undefined where it covers less. */
  readonly covered?: Readonly<Record<string, unknown>> | undefined;
  /** The names that the metadata of the event may have; undefined where they are not known. */
  readonly names?: ReadonlySet<string> | undefined;
  /** Of the event as it is stored, with what the audit hides; undefined where there is none. */
  readonly digest?: string | undefined;
}

/** What an audit and its event share when one commit stored both. */
interface EnvelopeValues {
  readonly at: string | null;
  readonly correlationId: unknown;
  readonly causationId: unknown;
  readonly scope: unknown;
}

export interface EventValues extends AuditedValues {
  readonly recorded: EnvelopeValues;
  readonly covered: Readonly<Record<string, unknown>>;
  /** The names in its metadata. */
  readonly named?: readonly string[];
  /** The texts of its columns. */
  readonly stored?: { readonly metadata: string; readonly data: string };
}

export interface Comparison {
  /** The first difference, as a path in the event: `data/total`, `type`; undefined when they are equal. */
  readonly differs: string | undefined;
  /** How many values are redacted in the audit and cannot be compared. */
  readonly redacted: number;
}

/** Whether an event still equals its audit. */
export function compareEvent(audit: AuditedValues, event: EventValues): Comparison {
  const compared = ['type', 'streamId', 'position'] as const;
  const different = compared.find((name) => audit[name] !== event[name]);
  const body = compareBody(audit, event);
  const envelope =
    audit.recorded === undefined ? undefined : compareValues(audit.recorded, event.recorded, 'metadata');
  const differs = different ?? body.differs ?? envelope?.differs ?? uncovered(audit, event) ?? body.hidden;
  return { differs, redacted: body.redacted };
}

interface ComparedBody extends Comparison {
  /** Where a difference is that only the digest shows. */
  readonly hidden?: string;
}

/** The digest decides, where there is one: a redaction may have left anything of the body. */
function compareBody({ body, digest }: AuditedValues, event: EventValues): ComparedBody {
  const { metadata = '', data = '' } = event.stored ?? {};
  if (digest !== undefined && digest === storedDigest(metadata, data))
    return { differs: undefined, redacted: 0 };
  const { differs, hidden, redacted: count } = compareValues(body, event.body, 'data');
  return digest === undefined ? { differs, redacted: count } : { differs, redacted: 0, hidden };
}

/** Only what the audit holds can be compared; nothing else may have been added. */
function uncovered({ covered = {}, names }: AuditedValues, event: EventValues): string | undefined {
  for (const key of Object.keys(covered)) {
    const { differs } = compareValues(covered[key], ownIn(event.covered, key), `metadata/${key}`);
    if (differs !== undefined) return differs;
  }
  const added = event.named?.find((name) => names?.has(name) === false);
  return added === undefined ? undefined : `metadata/${added}`;
}

interface Compared extends Comparison {
  /** Where a difference is that cannot be seen. */
  readonly hidden: string;
}

/** Iterative, not recursive: an event may be nested arbitrarily deep. */
function compareValues(audited: unknown, stored: unknown, name: string): Compared {
  const hidden: string[] = [];
  let count = 0;
  const pairs: (readonly [audited: unknown, stored: unknown, path: string])[] = [[audited, stored, name]];
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const [one, other, path] = pair;
    if (one === redacted && other !== undefined) {
      hidden.push(path);
      if (other !== redacted) count++;
      continue;
    }
    if (one === other) continue;
    if (!hasMembers(one) || !hasMembers(other) || Array.isArray(one) !== Array.isArray(other))
      return { differs: path, redacted: count, hidden: name };
    for (const key of new Set([...Object.keys(one), ...Object.keys(other)]))
      pairs.push([ownIn(one, key), ownIn(other, key), `${path}/${key}`]);
  }
  const [only = name, ...others] = hidden;
  return { differs: undefined, redacted: count, hidden: others.length === 0 ? only : name };
}

const hasMembers = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** A field may have the name of an inherited property. */
const ownIn = (value: Readonly<Record<string, unknown>>, key: string): unknown =>
  Object.hasOwn(value, key) ? value[key] : undefined;
