import type { SourceTree, ts } from '../compiler.js';
import type { Diagnostics } from '../diagnostics.js';
import { changesOf, type EventShapes, shapeOf } from '../model/event-shapes.js';
import type { CommandModel, ConstructedModel, NamedType, ServiceModel } from '../model/service-model.js';
import type { FoundCommand } from './commands.js';
import { RegisteredClasses } from './registered-classes.js';
import { refuseInfiniteTypes } from './refuse-infinite-types.js';
import { refuseSubjects } from './refuse-subjects.js';
import { type Findings, findingsOf, type FoundEvent } from './file-findings.js';
import { type FoundNamed, type NamedKind, refuseSameNames } from './named-classes.js';
import { NameConflicts } from './name-conflicts.js';
import { refuseTakenRoutes } from './own-routes.js';
import { refuseForApprovals } from './refuse-for-approvals.js';
import { refuseTools } from './refuse-tools.js';
import { refuseReadNames } from './read-name-conflicts.js';
import { acceptedRoutes, type Handled, processModels } from './process-models.js';

/** The findings of an earlier read, by file. */
export type KnownFindings = WeakMap<ts.SourceFile, Findings>;

/** Everything a source tree declares, or its mistakes. */
export function discover(
  tree: SourceTree,
  diagnostics: Diagnostics,
  known: KnownFindings = new WeakMap(),
  recorded: EventShapes = {},
): ServiceModel {
  const found = tree.files.map((file) => {
    const findings = tree.changed.has(file) ? undefined : known.get(file);
    const current = findings ?? findingsOf(file, tree);
    known.set(file, current);
    return current;
  });
  const model = joined(found, tree, diagnostics);
  if (diagnostics.all.length === 0) {
    const all = <T>(part: (findings: Findings) => readonly T[]): readonly T[] => found.flatMap(part);
    const commands = all((findings) => findings.commands);
    const perspectives = all((findings) => findings.perspectives);
    refuseTools(commands, perspectives, model, tree.root, diagnostics);
    refuseForApprovals(
      {
        commands,
        perspectives,
        events: all((findings) => findings.events),
        routes: all((findings) => findings.routes),
        named: all((findings) => findings.named),
      },
      model,
      diagnostics,
    );
  }
  refuseUnversioned(
    found.flatMap(({ events }) => events),
    model,
    recorded,
    diagnostics,
  );
  return model;
}

function joined(found: readonly Findings[], tree: SourceTree, diagnostics: Diagnostics): ServiceModel {
  const all = <T>(part: (findings: Findings) => readonly T[]): readonly T[] => found.flatMap(part);
  diagnostics.add(all((findings) => findings.diagnostics));
  refuseLooseNulls(tree, diagnostics);
  refuseOldDecorators(tree, diagnostics);
  for (const name of tree.unreadable) diagnostics.errorInFile('SVC1026', name, 'cannot be read');
  const commands = all((findings) => findings.commands);
  const events = all((findings) => findings.events);
  const names = new NameConflicts(tree.root, diagnostics);
  names.refuseRoutes(commands);
  const reads = all((findings) => findings.perspectives);
  names.refuseTypes([0, 1, 2].flatMap((kind) => all(({ claims }) => claims[kind] ?? [])));
  names.refuseGenerated(
    commands,
    [0, 2].flatMap((kind) => all(({ claims }) => claims[kind] ?? [])),
  );
  const constructions = new RegisteredClasses(tree.root, commands, diagnostics);
  const endpoints = constructions.endpoints(all((findings) => findings.endpoints));
  const named = all((findings) => findings.named);
  refuseSameNames(named, tree.root, diagnostics);
  const routes = all((findings) => findings.routes);
  refuseTakenRoutes(routes, commands, tree.root, diagnostics);
  const types = typesOf(found);
  const accepted = acceptedRoutes(reads, named, tree.root, diagnostics);
  refuseReadNames({ commands, routes }, accepted, tree.root, diagnostics);
  const handlers = all((findings) => findings.receptors);
  const ofKinds = namedModels(named, types, constructions, { commands, receptors: handlers });
  const receptors = constructions.receptors(handlers);
  const perspectives = constructions.perspectives(reads);
  names.refuseMessages([...commands, ...events]);
  names.refuseHiding([...commands, ...events, ...handlers, ...reads, ...named]);
  refuseMissingMappers(commands, endpoints, diagnostics);
  if (commands.length + perspectives.length + routes.length === 0) refuseEmpty(tree, diagnostics);
  refuseInfiniteTypes(types, commands, diagnostics);
  refuseSubjects(types, commands, events, diagnostics);
  return {
    commands: sorted(commands.map(({ model }) => withEndpoint(model, endpoints.get(model.name)))),
    receptors: sorted(receptors),
    events: sorted(events.map(({ model }) => model)),
    perspectives: sorted(perspectives),
    ...ofKinds,
    routes: sorted(routes.map(({ model }) => model)),
    webhooks: sorted(all((findings) => findings.webhooks)),
    flags: [...new Set(all((findings) => findings.flags))].sort(),
    types,
    dependencies: constructions.dependencies,
    sourceRoot: tree.sourceRoot,
  };
}

/** A tree that only has other mistakes is not reported as empty. */
function refuseEmpty({ root }: SourceTree, diagnostics: Diagnostics): void {
  if (diagnostics.all.length > 0) return;
  const why = 'no class has @CommandEndpoint and none is a Perspective; declare a command first';
  diagnostics.errorInFile('SVC1000', `${root}/tsconfig.json`, why);
}

function namedModels(
  named: readonly FoundNamed[],
  types: ReadonlyMap<string, NamedType>,
  constructions: RegisteredClasses,
  handled: Handled,
) {
  const ofKind = (kind: NamedKind) => named.filter((found) => found.kind === kind);
  return {
    effects: sorted(constructions.effects(ofKind('effect'), types)),
    deciders: sorted(constructions.deciders(ofKind('decider'))),
    reactions: sorted(constructions.constructed(ofKind('reaction'))),
    processes: sorted(processModels(named, constructions, handled)),
    schedules: sorted(constructions.constructed(ofKind('schedule'))),
  };
}

/** Events stored in the old shape would be read as if they had the new one. */
function refuseUnversioned(
  events: readonly FoundEvent[],
  { types }: ServiceModel,
  recorded: EventShapes,
  diagnostics: Diagnostics,
): void {
  for (const { model, declaration } of events) {
    const before = recorded[model.name];
    const changes = before === undefined ? [] : changesOf(before, shapeOf(model, types));
    if (before === undefined || changes.length === 0) continue;
    diagnostics.error(
      'SVC1032',
      declaration,
      `${model.name} changed without a new version (${changes.join(', ')}); give it static version = ${before.version + 1} and an upcaster from ${before.version}, or run svc generate --accept-events while no such event is stored`,
    );
  }
}

/** Without it the compiler drops `null` and `undefined` from every type. */
function refuseLooseNulls({ program, root }: SourceTree, diagnostics: Diagnostics): void {
  const { strict = false, strictNullChecks = strict } = program.getCompilerOptions();
  if (strictNullChecks) return;
  const why = 'strictNullChecks is off, so nullability is unknown; set "strict": true';
  diagnostics.errorInFile('SVC1029', `${root}/tsconfig.json`, why);
}

/** With it the compiler calls decorators with arguments from before the standard, which ours do not accept. */
function refuseOldDecorators({ program, root }: SourceTree, diagnostics: Diagnostics): void {
  if (program.getCompilerOptions().experimentalDecorators !== true) return;
  const why = 'experimentalDecorators is on, but @CommandEndpoint is a standard decorator; remove that line';
  diagnostics.errorInFile('SVC1033', `${root}/tsconfig.json`, why);
}

/** By name; of a type that several files reach, the first reading. */
function typesOf(found: readonly Findings[]): ReadonlyMap<string, NamedType> {
  const types = new Map<string, NamedType>();
  for (const findings of found)
    for (const type of findings.types) if (!types.has(type.name)) types.set(type.name, type);
  const names = [...types.keys()].sort();
  return new Map(names.map((name) => [name, types.get(name) as NamedType]));
}

function refuseMissingMappers(
  commands: readonly FoundCommand[],
  endpoints: ReadonlyMap<string, ConstructedModel>,
  diagnostics: Diagnostics,
): void {
  for (const { model, declaration } of commands) {
    if (model.request === null || endpoints.has(model.name)) continue;
    diagnostics.error(
      'SVC1012',
      declaration,
      `${model.name} has a requestType but no mapper; svc generate --stub ${model.name} writes a class to complete`,
    );
  }
}

const withEndpoint = (model: CommandModel, endpoint: ConstructedModel | undefined): CommandModel =>
  endpoint === undefined ? model : { ...model, endpoint };

const sorted = <T extends { readonly name: string }>(list: readonly T[]): readonly T[] =>
  [...list].sort(byName);

const byName = (a: { readonly name: string }, b: { readonly name: string }): number =>
  a.name < b.name ? -1 : 1;
