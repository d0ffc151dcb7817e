import { transform } from 'esbuild';
import { emitClient } from '../../endpoints/generator/emit/client.js';
import { emitSchema } from '../../endpoints/generator/emit/graphql.js';
import type { QueryModel, ServiceModel, TypeModel } from '../../endpoints/generator/model/service-model.js';
import type { ServiceDefinition } from '../../endpoints/service-definition.js';

const text: TypeModel = { kind: 'text', limits: {} };
const property = (name: string, type: TypeModel) => ({
  name,
  type,
  required: true,
  default: undefined,
  sensitive: false,
  description: undefined,
});

const note = {
  name: 'Note',
  type: {
    kind: 'object' as const,
    properties: [
      ...['noteId', 'text', 'shelf', 'userId'].map((name) => property(name, text)),
      property('n', { kind: 'int', limits: {} }),
    ],
  },
  description: undefined,
  declared: undefined,
  isClass: false,
};

const columns: QueryModel['columns'] = [
  { name: 'shelf', type: 'text' },
  { name: 'n', type: 'integer' },
  { name: 'userId', type: 'text' },
];

const reads = [
  { name: 'Notes', route: '/notes', columns },
  { name: 'OwnNotes', route: '/own-notes', columns },
  { name: 'AddressedNotes', route: '/addressed-notes', columns: [] },
];

/** The notes as the generator would see them. */
const notesModel: ServiceModel = {
  commands: [],
  deciders: [],
  effects: [],
  reactions: [],
  processes: [],
  schedules: [],
  routes: [],
  webhooks: [],
  receptors: [],
  events: [],
  flags: [],
  dependencies: [],
  types: new Map([['Note', note]]),
  perspectives: reads.map(({ name, ...query }) => ({
    name,
    file: 'notes',
    parameters: [],
    query: { ...query, row: { kind: 'ref', name: 'Note' } },
  })),
};

/** The service with the GraphQL schema that the generator writes. */
export const withSchema = (service: ServiceDefinition): ServiceDefinition => ({
  ...service,
  create: (...given) => ({ ...service.create(...given), schema: emitSchema(notesModel) }),
});

interface Rows {
  all(query: object): AsyncIterable<{ readonly noteId: string }>;
}

type NotesClient = Readonly<Record<'notes' | 'ownNotes' | 'addressedNotes', Rows>>;

/** The client that the generator writes. */
export async function notesClient(): Promise<
  new (options: { baseUrl: string; headers: Record<string, string> }) => NotesClient
> {
  const { code } = await transform(emitClient(notesModel), { loader: 'ts', format: 'esm' });
  const loaded: unknown = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  return (loaded as { Client: Awaited<ReturnType<typeof notesClient>> }).Client;
}
