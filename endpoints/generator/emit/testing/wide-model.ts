import type {
  CommandModel,
  NamedType,
  PropertyModel,
  ServiceModel,
  TypeModel,
} from '../../model/service-model.js';

/** A model with every kind of type, in the most difficult places and names. */
export function wideModel(): ServiceModel {
  const types = [...commands, ...parts, ...results];
  return {
    commands: [
      command('CountTrees', null, { kind: 'int', limits: {} }),
      command('ListTrees', '/trees/list', { kind: 'array', item: nullable(ref('Report')), limits: {} }),
      command('PlantTree', '/trees', ref('Report')),
    ],
    deciders: [],
    effects: [],
    reactions: [],
    processes: [],
    schedules: [],
    routes: [],
    webhooks: [],
    receptors: [],
    events: [{ name: 'TreePlanted', file: 'trees/events', version: 1, description: undefined }],
    perspectives: [],
    types: new Map(types.map((type) => [type.name, type])),
    flags: [],
    dependencies: [],
  };
}

const ref = (name: string): TypeModel => ({ kind: 'ref', name });
const nullable = (inner: TypeModel): TypeModel => ({ kind: 'nullable', inner });
const list = (item: TypeModel, limits = {}): TypeModel => ({ kind: 'array', item, limits });
const map = (value: TypeModel): TypeModel => ({ kind: 'map', value });
const text = (limits = {}): TypeModel => ({ kind: 'text', limits });

const command = (name: string, restRoute: string | null, result: TypeModel): CommandModel => ({
  name,
  file: 'trees/commands',
  restRoute,
  graphQLMutation: restRoute === null ? name : null,
  request: null,
  result,
  resultName: result.kind === 'ref' ? result.name : `${name}Result`,
  description: undefined,
  endpoint: null,
});

const has = (name: string, type: TypeModel, more: Partial<PropertyModel> = {}): PropertyModel => ({
  name,
  type,
  required: true,
  default: undefined,
  sensitive: false,
  description: undefined,
  ...more,
});
const may = (name: string, type: TypeModel, more: Partial<PropertyModel> = {}): PropertyModel =>
  has(name, type, { required: false, ...more });

const named = (name: string, type: NamedType['type'], more: Partial<NamedType> = {}): NamedType => ({
  name,
  type,
  description: undefined,
  declared: { name, file: 'trees/types' },
  isClass: false,
  ...more,
});
const object = (
  name: string,
  properties: readonly PropertyModel[],
  more: Partial<NamedType> = {},
): NamedType => named(name, { kind: 'object', properties }, more);
const inCommands = (name: string): Partial<NamedType> => ({
  declared: { name, file: 'trees/commands' },
  isClass: true,
});

const commands = [
  object('CountTrees', [], inCommands('CountTrees')),
  object('ListTrees', [may('like', ref('Tree')), may('page', ref('Page'))], inCommands('ListTrees')),
  object(
    'PlantTree',
    [
      has('tree', ref('Tree')),
      has('height', { kind: 'number', limits: { minimum: -1.5, maximum: 120.25 } }),
      has('rings', { kind: 'long', limits: { minimum: -10 } }),
      may('count', { kind: 'int', limits: { minimum: -3, maximum: 7 } }),
      has('price', nullable({ kind: 'decimal', limits: { minimum: -5, maximum: 99.5 } })),
      may('waits', { kind: 'duration' }),
      may(
        'grid',
        list(list(list({ kind: 'int', limits: { maximum: 9 } }, { maxItems: 2 }), { minItems: 1 })),
      ),
      may('byName', map(map(nullable(ref('Page'))))),
      may('kinds', list(nullable(ref('Kind')), { minItems: 1, maxItems: 4 })),
      may('habitat', nullable(ref('Habitat'))),
      may('habitats', map(list(ref('Habitat')))),
      may('content-type', text({ pattern: '^\\p{Lu}[a-z/\'"`$\\{]*$' })),
      may('a/b~c', { kind: 'boolean' }),
      may('agreed', { kind: 'boolean', only: true }),
      may('refused', list({ kind: 'boolean', only: false })),
      may("it's", { kind: 'timestamp' }, { default: { value: '2026-01-01T00:00:00Z' } }),
      may('title', text({ minLength: 2, maxLength: 3 })),
      may('odd', ref('Odd')),
      may('nothing', ref('Nothing')),
      may('owner', nullable(ref('Owner')), { default: { value: null } }),
    ],
    inCommands('PlantTree'),
  ),
];

const parts = [
  object('Tree', [
    has('kind', ref('Kind')),
    has('meta', { kind: 'json' }),
    may('branches', map(ref('Tree'))),
    may('graft', nullable(ref('Tree'))),
    may('pages', list(ref('Page2'))),
    may('secret', list(text()), { sensitive: true }),
  ]),
  named('Kind', { kind: 'enum', values: ['oak', "people's fir", 'a"b\\c', ''] }),
  // Two declarations of one name, so that the second has an alias.
  object('Page', [may('number', { kind: 'int', limits: {} }, { default: { value: 1 } })], {
    declared: { name: 'Page', file: 'trees/page' },
    isClass: true,
  }),
  object('Page2', [may('text', text())], { declared: { name: 'Page', file: 'trees/types' } }),
  object('Nothing', []),
  object('Odd', [has('valueOf', { kind: 'json' }), has('toString', text())]),
  object('Owner', [has('id', { kind: 'uuid' })], { declared: undefined }),
  named('Habitat', {
    kind: 'union',
    discriminator: 'is/a',
    variants: [
      { value: 'forest', name: 'Forest' },
      { value: 'park', name: 'Park' },
      { value: 'garden', name: 'Park' },
    ],
  }),
  object('Forest', [has('is/a', ref('ForestIs')), may('inside', ref('Habitat'))]),
  object('Park', [
    has('is/a', ref('ParkIs')),
    has('owner', ref('Owner')),
    may('code', text(), { sensitive: true }),
  ]),
  named('ForestIs', { kind: 'enum', values: ['forest'] }, { declared: undefined }),
  named('ParkIs', { kind: 'enum', values: ['park', 'garden'] }, { declared: undefined }),
];

const results = [
  object('Report', [
    may('first', text()),
    may('second', nullable({ kind: 'int', limits: {} })),
    has('price', { kind: 'decimal', limits: {} }),
    has('kinds', list(ref('Kind'))),
    may('habitats', map(nullable(ref('Habitat')))),
    has('it is', list(map(list({ kind: 'number', limits: {} })))),
    may('meta', { kind: 'json' }),
    may('ok', { kind: 'boolean', only: true }),
    may('summary', ref('Summary')),
  ]),
  object('Summary', [has('lines', list(text()))], { declared: undefined }),
  object('TreePlanted', [has('trees', list(ref('Tree'))), may('habitat', nullable(ref('Habitat')))], {
    declared: { name: 'TreePlanted', file: 'trees/events' },
    isClass: true,
  }),
];
