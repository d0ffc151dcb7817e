import type { ToolEntry } from '../../agents/tool-entry.js';
import type { ts } from '../compiler.js';
import { type Diagnostics, locationOf } from '../diagnostics.js';
import { toolsOf } from '../emit/tools.js';
import { hasEndpoint, type ServiceModel } from '../model/service-model.js';
import { bodyName } from '../model/reachable-types.js';
import type { FoundCommand } from './commands.js';
import type { FoundPerspective } from './perspectives.js';

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
  commands: readonly FoundCommand[],
  perspectives: readonly FoundPerspective[],
  model: ServiceModel,
  root: string,
  diagnostics: Diagnostics,
): void {
  const before = diagnostics.all.length;
  const declared = [...commandsOf(commands, model, diagnostics), ...readsOf(perspectives)];
  for (const perspective of perspectives) refuseFields(perspective, model, diagnostics);
  for (const one of declared) refuseUnfit(one, diagnostics);
  if (declared.length === 0 || diagnostics.all.length > before) return;
  const places = new Map(declared.map(({ name, declaration }) => [name, declaration]));
  const seen = new Map<string, ts.Node>();
  for (const { of, entry } of toolsOf(model)) {
    const declaration = places.get(of);
    if (declaration === undefined) continue;
    const { name } = entry.tool;
    const other = seen.get(name);
    if (other !== undefined)
      diagnostics.error(
        'SVC1085',
        declaration,
        `the tool '${name}' is also that of the class at ${locationOf(other, root)}; give one of them a name: agent: { name: '…' }`,
      );
    seen.set(name, declaration);
    refuseTexts(name, entry, declaration, diagnostics);
  }
  const [first] = places.values();
  if (seen.size > mostTools && first !== undefined)
    diagnostics.error('SVC1086', first, `there are ${seen.size} tools; at most ${mostTools} are allowed`);
}

function commandsOf(
  commands: readonly FoundCommand[],
  { types }: ServiceModel,
  diagnostics: Diagnostics,
): readonly Declared[] {
  return commands.flatMap(({ model, declaration }) => {
    if (model.agent === undefined) return [];
    const { name, permission, description } = model;
    const body = types.get(bodyName(model))?.type;
    if (!hasEndpoint(model))
      diagnostics.error(
        'SVC1084',
        declaration,
        `${name} has agent but no endpoint; give it a restRoute or a graphQLMutation`,
      );
    if (body?.kind === 'object' && body.properties.some((property) => property.name === 'idempotencyKey'))
      diagnostics.error(
        'SVC1084',
        declaration,
        `${name} has agent, so it cannot have a field 'idempotencyKey': the tool has an argument of this name`,
      );
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
  diagnostics: Diagnostics,
): void {
  if (query?.agent?.fields === undefined) return;
  const row = query.row.kind === 'ref' ? types.get(query.row.name)?.type : undefined;
  const names = row?.kind === 'object' ? row.properties.map(({ name }) => name) : [];
  const known = [...names, ...query.columns.map(({ name }) => name)];
  const unknown = query.agent.fields.find((field) => !known.includes(field));
  if (unknown !== undefined)
    diagnostics.error('SVC1084', declaration, `the fields of agent name '${unknown}', which no row has`);
}

function refuseUnfit(
  { name, declaration, permission, description }: Declared,
  diagnostics: Diagnostics,
): void {
  if (permission === undefined || permission === 'public')
    diagnostics.error(
      'SVC1084',
      declaration,
      `${name} has agent, so it needs a permission: 'authenticated' or Permission.of('orders', 'write')`,
    );
  if (description === undefined)
    diagnostics.error(
      'SVC1084',
      declaration,
      `${name} has agent, so it needs a doc comment: agents choose a tool by it`,
    );
}

/** A reviewer does not see these characters, and a model does. */
const hiddenCharacter = /(?![\n\r\t])[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u{E0000}-\u{E0FFF}]/u;

function refuseTexts(name: string, entry: ToolEntry, declaration: ts.Node, diagnostics: Diagnostics): void {
  const texts: string[] = [];
  JSON.stringify(entry, (key, value: unknown) => {
    texts.push(key, ...(typeof value === 'string' ? [value] : []));
    return value;
  });
  const found = texts.map((text) => hiddenCharacter.exec(text)?.[0]).find((one) => one !== undefined);
  if (found === undefined) return;
  const point = (found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  diagnostics.error(
    'SVC1087',
    declaration,
    `the texts of the tool '${name}' have the hidden character U+${point}; remove it`,
  );
}
