import type { ToolEntry } from '../../agents/tool-entry.js';
import type { ts } from '../compiler.js';
import { toolsOf } from '../emit/tools.js';
import { propertiesOf } from '../model/properties.js';
import { bodyName } from '../model/reachable-types.js';
import { hasEndpoint, type ServiceModel } from '../model/service-model.js';
import type { FoundCommand } from './commands.js';
import type { Findings } from './file-findings.js';
import type { FoundPerspective } from './perspectives.js';
import type { Reading } from './reading.js';

/** Every tool is a text that an agent's model pays for and chooses from. */
const mostTools = 200;

interface Declared {
  readonly name: string;
  readonly declaration: ts.Node;
  readonly permission: string | undefined;
  readonly description: string | undefined;
}

/** What agents may do is declared, described, and guarded by a permission. */
export function refuseTools(
  { commands, perspectives }: Findings,
  model: ServiceModel,
  reading: Reading,
): void {
  const before = reading.diagnostics.all.length;
  const declared = [...commandsOf(commands, model, reading), ...readsOf(perspectives)];
  for (const perspective of perspectives) refuseFields(perspective, model, reading);
  for (const one of declared) refuseUnfit(one, reading);
  if (declared.length === 0 || reading.diagnostics.all.length > before) return;
  const places = new Map(declared.map(({ name, declaration }) => [name, declaration]));
  const seen = new Map<string, ts.Node>();
  for (const { of, entry } of toolsOf(model)) {
    const declaration = places.get(of);
    if (declaration === undefined) continue;
    const { name } = entry.tool;
    const other = seen.get(name);
    if (other !== undefined) {
      const why = `the tool '${name}' is also that of the class at ${reading.locationOf(other)}; give one of them a name: agent: { name: '…' }`;
      reading.error('SVC1085', declaration, why);
    }
    seen.set(name, declaration);
    refuseTexts(name, entry, declaration, reading);
  }
  const [first] = places.values();
  if (seen.size > mostTools && first !== undefined)
    reading.error('SVC1086', first, `there are ${seen.size} tools; at most ${mostTools} are allowed`);
}

function commandsOf(
  commands: readonly FoundCommand[],
  { types }: ServiceModel,
  reading: Reading,
): readonly Declared[] {
  return commands.flatMap(({ model, declaration }) => {
    if (model.agent === undefined) return [];
    const { name, permission, description } = model;
    if (!hasEndpoint(model)) {
      const why = `${name} has agent but no endpoint; give it a restRoute or a graphQLMutation`;
      reading.error('SVC1084', declaration, why);
    }
    if (propertiesOf(types, bodyName(model)).some((property) => property.name === 'idempotencyKey')) {
      const why = `${name} has agent, so it cannot have a field 'idempotencyKey': the tool has an argument of this name`;
      reading.error('SVC1084', declaration, why);
    }
    return [{ name, declaration, permission, description }];
  });
}

const readsOf = (perspectives: readonly FoundPerspective[]): readonly Declared[] =>
  perspectives.flatMap(({ query, declaration, model }) => {
    if (query?.agent === undefined || model === undefined) return [];
    const { permission, description } = query;
    return [{ name: model.name, declaration, permission, description }];
  });

/** A misspelled field would silently be missing from every answer. */
function refuseFields(
  { query, declaration }: FoundPerspective,
  { types }: ServiceModel,
  reading: Reading,
): void {
  if (query?.agent?.fields === undefined) return;
  const row = query.row.kind === 'ref' ? propertiesOf(types, query.row.name) : [];
  const known = [...row, ...query.columns].map(({ name }) => name);
  const unknown = query.agent.fields.find((field) => !known.includes(field));
  if (unknown !== undefined)
    reading.error('SVC1084', declaration, `the fields of agent name '${unknown}', which no row has`);
}

function refuseUnfit({ name, declaration, permission, description }: Declared, reading: Reading): void {
  if (permission === undefined || permission === 'public') {
    const why = `${name} has agent, so it needs a permission: 'authenticated' or Permission.of('orders', 'write')`;
    reading.error('SVC1084', declaration, why);
  }
  if (description === undefined) {
    const why = `${name} has agent, so it needs a doc comment: agents choose a tool by it`;
    reading.error('SVC1084', declaration, why);
  }
}

/** A reviewer does not see these characters, and a model does. */
const hiddenCharacter = /(?![\n\r\t])[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u{E0000}-\u{E0FFF}]/u;

function refuseTexts(name: string, entry: ToolEntry, declaration: ts.Node, reading: Reading): void {
  const texts: string[] = [];
  JSON.stringify(entry, (key, value: unknown) => {
    texts.push(key, ...(typeof value === 'string' ? [value] : []));
    return value;
  });
  const found = texts.map((text) => hiddenCharacter.exec(text)?.[0]).find((one) => one !== undefined);
  if (found === undefined) return;
  const point = (found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  const why = `the texts of the tool '${name}' have the hidden character U+${point}; remove it`;
  reading.error('SVC1087', declaration, why);
}
