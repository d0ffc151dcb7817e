import { Problem } from '../../../contracts/problems.js';
import type { Uuid } from '../../../contracts/scalars.js';
import { isStorable } from '../../lang/storable-text.js';
import { kindOf } from '../tables/column-value.js';
import type { FoldFailure, FoldRules } from './fold.js';
import type { LogEntry } from '../../log/log-entry.js';

interface Grouped {
  readonly byKey: ReadonlyMap<string, readonly LogEntry[]>;
  /** Events without a known row, by the key they are parked under. */
  readonly keyless: ReadonlyMap<string, FoldFailure>;
}

/** With the name of its perspective or its tenant, a longer key would not fit into an index entry of PostgreSQL. */
const maxKeyBytes = 1_000;
const maxKeys = 1_000;

/** Groups events by row, each row in the order of the log; an event may belong to several. */
export function groupByKey(rules: FoldRules, entries: readonly LogEntry[]): Grouped {
  const byKey = new Map<string, LogEntry[]>();
  const keyless = new Map<string, FoldFailure>();
  for (const entry of entries) {
    try {
      for (const key of keysOf(rules, entry)) {
        const group = byKey.get(key);
        if (group === undefined) byKey.set(key, [entry]);
        else group.push(entry);
      }
    } catch (error) {
      keyless.set(keylessKeyOf(entry.event.messageId), { entry, error });
    }
  }
  return { byKey, keyless };
}

/** No row key starts with it. */
const keylessPrefix = '?event:';

export const keylessKeyOf = (eventId: Uuid): string => `${keylessPrefix}${eventId}`;

export const isKeyless = (key: string): boolean => key.startsWith(keylessPrefix);

/** The rows of an event, each once. */
export function keysOf({ perspective, table }: FoldRules, entry: LogEntry): readonly string[] {
  if (table.byStream) return [entry.event.streamId];
  if (entry.fault !== undefined) throw entry.fault;
  const keys: unknown = perspective.key?.(entry.event);
  if (!Array.isArray(keys)) return [validKey(keys)];
  if (keys.length > maxKeys) throw invalid(`key may return at most ${maxKeys} keys, not ${keys.length}.`);
  const valid = Array.from(keys, validKey);
  // Folded twice into one row, an event would count twice.
  if (new Set(valid).size < valid.length)
    throw invalid('key returned the same key twice; return each row once.');
  return valid;
}

function validKey(key: unknown): string {
  if (typeof key === 'string' && key !== '' && isStorableKey(key)) return key;
  throw invalid(
    `key must return a text of 1 to ${maxKeyBytes} bytes, or a list of them, not ${kindOf(key)}.`,
  );
}

const isStorableKey = (key: string): boolean =>
  Buffer.byteLength(key) <= maxKeyBytes && !isKeyless(key) && isStorable(JSON.stringify(key));

const invalid = (detail: string): Problem => new Problem('invalid-model', { detail });
