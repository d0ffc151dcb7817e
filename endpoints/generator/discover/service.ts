import { type SourceTree, ts } from '../compiler.js';
import { type Diagnostics, placeOf } from '../diagnostics.js';
import type { ConstructedModel, EventModel, ReceptorModel, ServiceModel } from '../model.js';
import { findCommands, type FoundCommand } from './commands.js';
import { Dependencies } from './constructed.js';
import { refuseEndlessTypes } from './endless-types.js';
import { findEndpoints } from './endpoints.js';
import { findPerspectives } from './perspectives.js';
import { classesOf, documentationOf, exportedFrom, extendsOurs, implementsOurs } from './symbols.js';
import { TypeReader } from './type-reader.js';

/** Everything a source tree declares, or what is wrong with it. */
export function discover(tree: SourceTree, diagnostics: Diagnostics): ServiceModel {
  diagnostics.syntaxErrors(tree.program, tree.files);
  diagnostics.unreadable(tree.program);
  const reader = new TypeReader(tree, diagnostics);
  const dependencies = new Dependencies(tree, diagnostics);
  const commands = findCommands(tree, reader, diagnostics);
  const events = findEvents(tree, reader, diagnostics);
  const endpoints = findEndpoints(tree, commands, dependencies, diagnostics);
  const receptors = findReceptors(tree, commands, dependencies, diagnostics);
  const constructed = (declaration: ts.ClassDeclaration) =>
    constructedBy(declaration, tree, dependencies, diagnostics);
  const perspectives = findPerspectives(tree, reader, constructed, diagnostics);
  refuseSharedNames(tree, commands, events, diagnostics);
  for (const { model, declaration } of commands) {
    if (model.request !== null && !endpoints.has(model.name)) {
      diagnostics.error(
        'SVC1012',
        declaration,
        `${model.name} has a requestType but no mapper; svc generate --stub ${model.name} writes the class to fill in`,
      );
    }
  }
  if (commands.length === 0 && diagnostics.all.length === 0) {
    diagnostics.nowhere(
      'SVC1000',
      tree.root,
      'no class here carries @CommandEndpoint; declare a command first',
    );
  }
  refuseEndlessTypes(reader.types, commands, diagnostics);
  return {
    commands: sorted(
      commands.map(({ model }) => ({ ...model, endpoint: endpoints.get(model.name) ?? null })),
    ),
    receptors: sorted(receptors),
    events: sorted(events.map(({ model }) => model)),
    perspectives: sorted(perspectives),
    types: new Map([...reader.types].sort(([a], [b]) => (a < b ? -1 : 1))),
    dependencies: dependencies.models,
  };
}

const sorted = <T extends { readonly name: string }>(list: readonly T[]): readonly T[] =>
  [...list].sort((a, b) => (a.name < b.name ? -1 : 1));

interface FoundEvent {
  readonly model: EventModel;
  readonly declaration: ts.ClassDeclaration;
}

function findEvents(tree: SourceTree, reader: TypeReader, diagnostics: Diagnostics): readonly FoundEvent[] {
  return classesOf(tree).flatMap((declaration) => {
    if (!extendsOurs(declaration, 'Event', tree.checker) || isAbstract(declaration)) return [];
    const exported = exportedFrom(declaration, tree);
    if (exported === undefined) {
      diagnostics.error('SVC1006', declaration, 'an event must be an exported class with a name');
      return [];
    }
    const type = tree.checker.getTypeAtLocation(declaration);
    reader.readNamed(type, { node: declaration, path: exported.name, name: exported.name });
    return [
      { model: { ...exported, description: documentationOf(type.getSymbol(), tree.checker) }, declaration },
    ];
  });
}

function findReceptors(
  tree: SourceTree,
  commands: readonly FoundCommand[],
  dependencies: Dependencies,
  diagnostics: Diagnostics,
): readonly ReceptorModel[] {
  const byType = new Map(
    commands.map(({ model, declaration }) => [tree.checker.getTypeAtLocation(declaration), model.name]),
  );
  const places = new Map<string, ts.Node>();
  const receptors = classesOf(tree).flatMap((declaration): ReceptorModel[] => {
    const [argument] = implementsOurs(declaration, 'receptor', 'Receptor', tree.checker) ?? [];
    const command = argument === undefined ? undefined : byType.get(tree.checker.getTypeAtLocation(argument));
    if (command === undefined || isAbstract(declaration)) return [];
    const other = places.get(command);
    if (other !== undefined)
      diagnostics.error(
        'SVC1010',
        declaration,
        `${command} has another receptor at ${placeOf(other, tree.root)}; keep one`,
      );
    places.set(command, declaration);
    const model = constructedBy(declaration, tree, dependencies, diagnostics);
    return model === undefined ? [] : [{ ...model, command }];
  });
  for (const { model, declaration } of commands) {
    if (!places.has(model.name)) {
      diagnostics.error(
        'SVC1009',
        declaration,
        `no receptor handles ${model.name}; write a class that implements Receptor<${model.name}, ${model.resultName}>`,
      );
    }
  }
  return receptors;
}

function constructedBy(
  declaration: ts.ClassDeclaration,
  tree: SourceTree,
  dependencies: Dependencies,
  diagnostics: Diagnostics,
): ConstructedModel | undefined {
  const exported = exportedFrom(declaration, tree);
  if (exported === undefined)
    diagnostics.error(
      'SVC1025',
      declaration,
      'must be an exported class with a name: the registry constructs it',
    );
  return exported === undefined ? undefined : dependencies.constructed(exported, declaration);
}

/** The wire name of a message is its class name: two classes cannot share it. */
function refuseSharedNames(
  tree: SourceTree,
  commands: readonly FoundCommand[],
  events: readonly FoundEvent[],
  diagnostics: Diagnostics,
): void {
  const seen = new Map<string, ts.Node>();
  for (const { model, declaration } of [...commands, ...events]) {
    const other = seen.get(model.name);
    if (other !== undefined && other !== declaration) {
      diagnostics.error(
        'SVC1014',
        declaration,
        `the message name ${model.name} is also used at ${placeOf(other, tree.root)}; the name goes over the wire and must be unique`,
      );
    }
    seen.set(model.name, declaration);
  }
}

const isAbstract = (declaration: ts.ClassDeclaration): boolean =>
  (ts.getCombinedModifierFlags(declaration) & ts.ModifierFlags.Abstract) !== 0;
