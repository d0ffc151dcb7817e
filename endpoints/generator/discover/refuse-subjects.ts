import { sealedFieldsOf, typesWithSubjects } from '../model/sealed-fields.js';
import { reachableTypes, namesIn } from '../model/reachable-types.js';
import type { NamedType } from '../model/service-model.js';
import type { FoundCommand } from './commands.js';
import type { FoundEvent } from './file-findings.js';
import type { Reading } from './reading.js';

/** A value without a key would be stored as it is, or not at all. */
export function refuseSubjects(
  types: ReadonlyMap<string, NamedType>,
  commands: readonly FoundCommand[],
  events: readonly FoundEvent[],
  reading: Reading,
): void {
  const subjects = typesWithSubjects(types);
  if (subjects.size === 0) return;
  for (const { model, declaration } of [...events, ...commands]) {
    const [fault] = sealedFieldsOf(model.name, types, subjects).faults;
    if (fault !== undefined) {
      const why = `${fault}; name a string or Uuid beside the field or at the top of ${model.name}, outside of unions`;
      reading.error('SVC1045', declaration, why);
    }
  }
  for (const { model, declaration } of commands) {
    if (model.result === null) continue;
    const reached = reachableTypes({ types }, namesIn(model.result)).find((name) => subjects.has(name));
    if (reached !== undefined) {
      const why = `the result of ${model.name} holds ${reached}, which has a field with a subject; results are kept for repeated requests, so return a type without it`;
      reading.error('SVC1045', declaration, why);
    }
  }
}
