import type { ToolDocument, ToolEntry, ToolSchema } from '../../agents/tool-entry.js';
import { readNamesOf } from '../../read-names.js';
import { needsApproval, withApprovalsOf } from '../model/approvals.js';
import { kebab } from '../model/generated-paths.js';
import { bodyName, namedType, namesIn, partsOf, reachableTypes } from '../model/reachable-types.js';
import { propertiesOf } from '../model/properties.js';
import type { CommandModel, NamedType, QueryModel, ServiceModel, TypeModel } from '../model/service-model.js';
import { arriving, definitionOf, leaving, type Schema, schemaOf } from './json-schema.js';
import { shownColumns } from './shown-columns.js';

/** A tool, and the class that declares it. */
interface DeclaredTool {
  readonly of: string;
  readonly entry: ToolEntry;
}

/** The text of `generated/tools.json`; empty without tools. */
export function emitTools(model: ServiceModel): string {
  const entries = toolsOf(model).map(({ entry }) => entry);
  return entries.length === 0 ? '' : `${JSON.stringify(entries, undefined, 2)}\n`;
}

/** The tools of agents: commands and perspectives that say so, by name. */
export const toolsOf = (model: ServiceModel): readonly DeclaredTool[] =>
  [
    ...model.commands.flatMap((command) =>
      command.agent === undefined ? [] : [{ of: command.name, entry: commandTool(model, command) }],
    ),
    ...model.perspectives.flatMap(({ name, query }) =>
      query?.agent === undefined ? [] : readTools(model, query).map((entry) => ({ of: name, entry })),
    ),
    ...outcomeTool(model),
  ].sort((a, b) => (a.entry.tool.name < b.entry.tool.name ? -1 : 1));

function commandTool(model: ServiceModel, command: CommandModel): ToolEntry {
  const { agent = {}, result, description = '' } = command;
  const { name = snake(command.name), destructive = true, perMinute = 30, approval } = agent;
  const body = bodyName(command);
  const { properties, required } = definitionOf(namedType(model, body), within(arriving));
  const inputSchema = {
    type: 'object',
    properties: { ...(properties as Schema), idempotencyKey },
    ...(required === undefined ? {} : { required }),
    additionalProperties: false,
    ...definitions(model, partsOf(namedType(model, body)), arriving),
  };
  const isAsked = approval !== undefined;
  const repeated: Schema = { type: 'boolean' };
  const tool = {
    ...texts(name, isAsked ? `${description}\n\n${agreedFirst}` : description),
    inputSchema,
    outputSchema: isAsked
      ? askedSchema(model, repeated)
      : answerSchema(model, result === null ? nothing : whole(result), { repeated }),
    annotations: { ...annotations, readOnlyHint: false, destructiveHint: destructive },
  };
  return { command: command.name, perMinute, ...(isAsked ? { approval } : {}), tool };
}

const agreedFirst =
  'A person must agree before this is carried out; approval_get says what has become of it.';

const askedSchema = (model: ServiceModel, repeated: Schema): ToolSchema => {
  const asked = { approvalId: { type: 'string' }, expiresAt: { type: 'string', format: 'date-time' } };
  return answerSchema(model, nothing, { ...asked, repeated }, 'waiting-for-approval');
};

/** Says what has become of an approval that an agent has asked for. */
function outcomeTool(model: ServiceModel): readonly DeclaredTool[] {
  const first = model.commands.find(needsApproval);
  if (first === undefined) return [];
  const shown = withApprovalsOf(model);
  const fields = ['approvalId', 'command', 'status', 'expiresAt', 'note', 'result', 'problem'];
  const description = 'What has become of an approval that this caller has asked for, by its approvalId.';
  const tool = {
    ...texts('approval_get', description),
    inputSchema: idInput,
    outputSchema: answerSchema(shown, picked(shown, { kind: 'ref', name: 'Approval' }, fields)),
    annotations: { ...annotations, readOnlyHint: true, destructiveHint: false },
  };
  return [{ of: first.name, entry: { approvals: true, tool } }];
}

const idempotencyKey: Schema = {
  type: 'string',
  minLength: 1,
  maxLength: 255,
  description: 'Equal calls are carried out once. Pass another key to carry out an equal call again.',
};

function readTools(model: ServiceModel, query: QueryModel): readonly ToolEntry[] {
  const { agent = {}, description = '', row, route } = query;
  const { fields, rows = 50 } = agent;
  const { list = '', one = '' } = readNamesOf(route) ?? {};
  const name = agent.name ?? snake(list);
  const only = { annotations: { ...annotations, readOnlyHint: true, destructiveHint: false } };
  const seen = fields === undefined ? whole(row) : picked(model, row, fields);
  const listed: ToolDocument = {
    ...texts(`${name}_list`, `${description}\n\nReturns rows; nextCursor continues the list.`),
    inputSchema: listInput(
      shownColumns(model, query).map((column) => column.name),
      rows,
    ),
    outputSchema: answerSchema(model, { ...seen, schema: pageSchema(seen.schema) }),
    ...only,
  };
  const found: ToolDocument = {
    ...texts(`${name}_get`, `${description}\n\nReturns one row, by its id.`),
    inputSchema: idInput,
    outputSchema: answerSchema(model, seen),
    ...only,
  };
  return [
    { list, tool: listed },
    { one, tool: found },
  ];
}

const idInput: ToolSchema = {
  type: 'object',
  properties: { id: { type: 'string' } },
  required: ['id'],
  additionalProperties: false,
};

/** Texts are compared with the texts of columns, as in a URL. */
function listInput(columns: readonly string[], rows: number): ToolSchema {
  const value = { type: ['string', 'number', 'boolean'] };
  const operators = ['gte', 'gt', 'lte', 'lt', 'in', 'contains'];
  const compared = Object.fromEntries(operators.map((operator) => [operator, value]));
  const filter = { anyOf: [value, { type: 'object', properties: compared, additionalProperties: false }] };
  const columnsSchema = {
    filter: {
      type: 'object',
      description: 'By column: a value, or comparisons; in takes several values, separated by commas.',
      properties: Object.fromEntries(columns.map((column) => [column, filter])),
      additionalProperties: false,
    },
    sort: { type: 'string', description: 'Columns, separated by commas; descending with - before a name.' },
  };
  return {
    type: 'object',
    properties: {
      ...(columns.length === 0 ? {} : columnsSchema),
      pageSize: { type: 'integer', minimum: 1, maximum: rows },
      cursor: { type: 'string', description: 'The nextCursor of the answer before.' },
    },
    additionalProperties: false,
  };
}

const pageSchema = (row: Schema = {}): Schema => ({
  type: 'object',
  properties: { rows: { type: 'array', items: row }, nextCursor: { type: 'string' } },
  required: ['rows'],
});

/** A part of an answer, and the types that it names. */
interface Part {
  readonly schema: Schema | undefined;
  readonly names: readonly string[];
}

const nothing: Part = { schema: undefined, names: [] };

const whole = (type: TypeModel): Part => ({ schema: schemaOf(type, within(leaving)), names: namesIn(type) });

/** The row with these fields alone: what else it has is in no text of the tool. */
function picked(model: ServiceModel, row: TypeModel, fields: readonly string[]): Part {
  const [name = ''] = namesIn(row);
  const kept = propertiesOf(model.types, name).filter((one) => fields.includes(one.name));
  const shown: NamedType = { ...namedType(model, name), type: { kind: 'object', properties: kept } };
  return { schema: shownDefinition(shown, leaving), names: partsOf(shown) };
}

/** What a call answers: the result, or a problem. */
const answerSchema = (
  model: ServiceModel,
  { schema, names }: Part,
  more: Schema = {},
  answered = 'done',
): ToolSchema => ({
  type: 'object',
  properties: {
    status: { type: 'string', enum: [answered, 'refused'] },
    ...(schema === undefined ? {} : { result: schema }),
    ...more,
    note: { type: 'string' },
    problem: { type: 'object', properties: { code: { type: 'string' }, title: { type: 'string' } } },
  },
  required: ['status'],
  ...definitions(model, names, leaving),
});

type Direction = typeof arriving;

/** A tool has no other document to refer to. */
const within = (direction: Direction): Direction => ({
  ...direction,
  refs: '#/$defs/',
  onlyStandardFormats: true,
});

function definitions(model: ServiceModel, names: readonly string[], direction: Direction): Schema {
  const reached = reachableTypes(model, names);
  if (reached.length === 0) return {};
  const all = reached.map((name) => [name, shownDefinition(namedType(model, name), direction)] as const);
  return { $defs: Object.fromEntries(all) };
}

/** In answers a sensitive value is hidden. */
function shownDefinition(named: NamedType, direction: Direction): Schema {
  const schema = definitionOf(named, within(direction));
  if (direction === arriving || named.type.kind !== 'object') return schema;
  const sensitive = named.type.properties.filter((property) => property.sensitive);
  const hidden = Object.fromEntries(sensitive.map(({ name }) => [name, { const: '[redacted]' }]));
  return { ...schema, properties: { ...(schema['properties'] as Schema), ...hidden } };
}

const annotations = { idempotentHint: true, openWorldHint: false } as const;

const texts = (name: string, description: string) => ({ name, title: titleOf(name), description });

/** `create_order` → `Create order`. */
const titleOf = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ');

/** `CreateOrder` → `create_order`. */
const snake = (name: string): string => kebab(name).replaceAll('-', '_');
