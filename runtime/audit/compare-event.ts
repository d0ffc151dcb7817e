import { redacted } from '../../contracts/redaction.js';

/** What an EventAudited says of its event, and where it stands itself. */
export interface AuditedValues {
  readonly type: unknown;
  readonly streamId: unknown;
  readonly position: unknown;
  readonly body: unknown;
  /** Undefined for an audit that was emitted by hand, which may know less of the envelope. */
  readonly recorded?: EnvelopeValues | undefined;
}

/** What an audit and its event have in common when one commit stored both. */
interface EnvelopeValues {
  readonly at: string | null;
  readonly correlationId: unknown;
  readonly causationId: unknown;
  readonly scope: unknown;
}

export interface EventValues extends AuditedValues {
  readonly recorded: EnvelopeValues;
}

interface Comparison {
  /** What differs, in the words of the event: `data/total`, `type`; undefined when nothing does. */
  readonly differs: string | undefined;
  /** How many values are redacted in the audit, and so cannot be compared. */
  readonly redacted: number;
}

/** Whether an event is still what its audit says. */
export function compareEvent(audit: AuditedValues, event: EventValues): Comparison {
  const compared = ['type', 'streamId', 'position'] as const;
  const different = compared.find((name) => audit[name] !== event[name]);
  const body = compareValues(audit.body, event.body, 'data');
  const envelope =
    audit.recorded === undefined ? undefined : compareValues(audit.recorded, event.recorded, 'metadata');
  return { differs: different ?? body.differs ?? envelope?.differs, redacted: body.redacted };
}

/** In a loop and not in depth: an event may be nested as deep as it likes. */
function compareValues(audited: unknown, stored: unknown, name: string): Comparison {
  let hidden = 0;
  const pairs: (readonly [audited: unknown, stored: unknown, path: string])[] = [[audited, stored, name]];
  for (let pair = pairs.pop(); pair !== undefined; pair = pairs.pop()) {
    const [one, other, path] = pair;
    if (one === other) continue;
    if (one === redacted && other !== undefined) {
      hidden++;
      continue;
    }
    if (!hasMembers(one) || !hasMembers(other) || Array.isArray(one) !== Array.isArray(other))
      return { differs: path, redacted: hidden };
    for (const key of new Set([...Object.keys(one), ...Object.keys(other)]))
      pairs.push([ownIn(one, key), ownIn(other, key), `${path}/${key}`]);
  }
  return { differs: undefined, redacted: hidden };
}

const hasMembers = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** A field may be called as something that every object has. */
const ownIn = (value: Readonly<Record<string, unknown>>, key: string): unknown =>
  Object.hasOwn(value, key) ? value[key] : undefined;
