import type { SourceTree, ts } from '../compiler.js';
import type { Diagnostics } from '../diagnostics.js';
import { changesOf, type EventShapes, shapeOf } from '../model/event-shapes.js';
import {
  type CommandModel,
  type ConstructedModel,
  inNameOrder,
  type NamedType,
  type ServiceModel,
} from '../model/service-model.js';
import type { FoundCommand } from './commands.js';
import { RegisteredClasses } from './registered-classes.js';
import { refuseInfiniteTypes } from './refuse-infinite-types.js';
import { refuseSubjects } from './refuse-subjects.js';
import { type Findings, findingsOf, type FoundEvent, together } from './file-findings.js';
import { type NamedKind, refuseSameNames } from './named-classes.js';
import { NameConflicts } from './name-conflicts.js';
import { refuseTakenRoutes } from './own-routes.js';
import { refuseForApprovals } from './refuse-for-approvals.js';
import { refuseTools } from './refuse-tools.js';
import { refuseReadNames } from './read-name-conflicts.js';
import { acceptedRoutes, processModels } from './process-models.js';
import { Reading } from './reading.js';

/** The findings of an earlier read, by file. */
export type KnownFindings = WeakMap<ts.SourceFile, Findings>;

/** Everything a source tree declares, or its mistakes. */
export function discover(
  tree: SourceTree,
  diagnostics: Diagnostics,
  known: KnownFindings = new WeakMap(),
  recorded: EventShapes = {},
): ServiceModel {
  const reading = new Reading(tree, diagnostics);
  const found = together(
    tree.files.map((file) => {
      const findings = tree.changed.has(file) ? undefined : known.get(file);
      const current = findings ?? findingsOf(file, tree);
      known.set(file, current);
      return current;
    }),
  );
  const model = modelOf(found, reading);
  if (diagnostics.all.length === 0) {
    refuseTools(found, model, reading);
    refuseForApprovals(found, model, reading);
  }
  refuseUnversioned(found.events, model, recorded, reading);
  return model;
}

function modelOf(found: Findings, reading: Reading): ServiceModel {
  const { commands, events, named, routes } = found;
  reading.diagnostics.add(found.diagnostics);
  refuseLooseNulls(reading);
  refuseOldDecorators(reading);
  for (const name of reading.tree.unreadable)
    reading.diagnostics.errorInFile('SVC1026', name, 'cannot be read');
  const names = new NameConflicts(reading);
  names.refuseRoutes(commands);
  names.refuseTypes([...found.claims, ...found.claimsOfEvents, ...found.claimsOfReads]);
  names.refuseGenerated(commands, [...found.claims, ...found.claimsOfReads]);
  const constructions = new RegisteredClasses(commands, reading);
  const endpoints = constructions.endpoints(found.endpoints);
  refuseSameNames(named, reading);
  refuseTakenRoutes(routes, commands, reading);
  const types = typesOf(found.types);
  refuseReadNames(found, acceptedRoutes(found, reading), reading);
  const ofKinds = namedModels(found, types, constructions);
  const receptors = constructions.receptors(found.receptors);
  const perspectives = constructions.perspectives(found.perspectives);
  names.refuseMessages([...commands, ...events]);
  names.refuseHiding([...commands, ...events, ...found.receptors, ...found.perspectives, ...named]);
  refuseMissingMappers(commands, endpoints, reading);
  if (commands.length + perspectives.length + routes.length === 0) refuseEmpty(reading);
  refuseInfiniteTypes(types, commands, reading);
  refuseSubjects(types, commands, events, reading);
  return {
    commands: inNameOrder(commands.map(({ model }) => withEndpoint(model, endpoints.get(model.name)))),
    receptors: inNameOrder(receptors),
    events: inNameOrder(events.map(({ model }) => model)),
    perspectives: inNameOrder(perspectives),
    ...ofKinds,
    routes: inNameOrder(routes.map(({ model }) => model)),
    webhooks: inNameOrder(found.webhooks),
    flags: [...new Set(found.flags)].sort(),
    types,
    dependencies: constructions.dependencies,
    sourceRoot: reading.tree.sourceRoot,
  };
}

/** A tree that only has other mistakes is not reported as empty. */
function refuseEmpty(reading: Reading): void {
  if (reading.diagnostics.all.length > 0) return;
  const why = 'no class has @CommandEndpoint and none is a Perspective; declare a command first';
  reading.diagnostics.errorInFile('SVC1000', `${reading.tree.root}/tsconfig.json`, why);
}

function namedModels(
  found: Findings,
  types: ReadonlyMap<string, NamedType>,
  constructions: RegisteredClasses,
) {
  const ofKind = (kind: NamedKind) => found.named.filter((one) => one.kind === kind);
  return {
    effects: inNameOrder(constructions.effects(ofKind('effect'), types)),
    deciders: inNameOrder(constructions.deciders(ofKind('decider'))),
    reactions: inNameOrder(constructions.constructed(ofKind('reaction'))),
    processes: inNameOrder(processModels(found, constructions)),
    schedules: inNameOrder(constructions.constructed(ofKind('schedule'))),
  };
}

/** Events stored in the old shape would be read as if they had the new one. */
function refuseUnversioned(
  events: readonly FoundEvent[],
  { types }: ServiceModel,
  recorded: EventShapes,
  reading: Reading,
): void {
  for (const { model, declaration } of events) {
    const before = recorded[model.name];
    const changes = before === undefined ? [] : changesOf(before, shapeOf(model, types));
    if (before === undefined || changes.length === 0) continue;
    const why = `${model.name} changed without a new version (${changes.join(', ')}); give it static version = ${before.version + 1} and an upcaster from ${before.version}, or run svc generate --accept-events while no such event is stored`;
    reading.error('SVC1032', declaration, why);
  }
}

/** Without it the compiler drops `null` and `undefined` from every type. */
function refuseLooseNulls(reading: Reading): void {
  const { strict = false, strictNullChecks = strict } = reading.tree.program.getCompilerOptions();
  if (strictNullChecks) return;
  const why = 'strictNullChecks is off, so nullability is unknown; set "strict": true';
  reading.diagnostics.errorInFile('SVC1029', `${reading.tree.root}/tsconfig.json`, why);
}

/** With it the compiler calls decorators with arguments from before the standard, which ours do not accept. */
function refuseOldDecorators(reading: Reading): void {
  if (reading.tree.program.getCompilerOptions().experimentalDecorators !== true) return;
  const why = 'experimentalDecorators is on, but @CommandEndpoint is a standard decorator; remove that line';
  reading.diagnostics.errorInFile('SVC1033', `${reading.tree.root}/tsconfig.json`, why);
}

/** By name; of a type that several files reach, the first reading. */
function typesOf(found: readonly NamedType[]): ReadonlyMap<string, NamedType> {
  const types = new Map([...found].reverse().map((type) => [type.name, type]));
  return new Map([...types].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function refuseMissingMappers(
  commands: readonly FoundCommand[],
  endpoints: ReadonlyMap<string, ConstructedModel>,
  reading: Reading,
): void {
  for (const { model, declaration } of commands) {
    if (model.request === null || endpoints.has(model.name)) continue;
    const why = `${model.name} has a requestType but no mapper; svc generate --stub ${model.name} writes a class to complete`;
    reading.error('SVC1012', declaration, why);
  }
}

/** One without an own endpoint stays the same object, so that nothing is generated again for it. */
const withEndpoint = (model: CommandModel, endpoint: ConstructedModel | undefined): CommandModel =>
  endpoint === undefined ? model : { ...model, endpoint };
