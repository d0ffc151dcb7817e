import { type SourceTree, ts } from '../compiler.js';
import { type Diagnostic, Diagnostics } from '../diagnostics.js';
import type { EventModel, NamedType, WebhooksModel } from '../model/service-model.js';
import { findCommands, type FoundCommand, markOf } from './commands.js';
import { readConstructor, type FoundClass } from './constructor-dependencies.js';
import { findEndpoints, type FoundEndpoint } from './endpoints.js';
import { findFlags } from './flags.js';
import { findNamed, type FoundNamed, refuseProcessMessages } from './named-classes.js';
import { findOwnRoutes, type FoundOwnRoute } from './own-routes.js';
import { findPerspectives, type FoundPerspective } from './perspectives.js';
import { literalValue } from './properties.js';
import type { NameClaim } from './type-reading-context.js';
import {
  classesOf,
  documentationOf,
  exportedFrom,
  extendsOurs,
  implementsOurs,
  isAbstract,
} from './symbols.js';
import { TypeReader } from './type-reader.js';
import { classesNamedIn } from './visible-processes.js';
import { findWebhooks } from './webhooks.js';

export interface FoundEvent {
  readonly model: EventModel;
  readonly declaration: ts.ClassDeclaration;
}

export interface FoundReceptor extends FoundClass {
  /** The class it handles, possibly not a command. */
  readonly handles: ts.Declaration;
  /** The name of a command that has no mark. */
  readonly unmarked: string | undefined;
  /** The classes that its code names. */
  readonly names: ReadonlySet<ts.Node>;
}

/** The declarations of one file: nothing here depends on a file that it does not import. */
export interface Findings {
  readonly commands: readonly FoundCommand[];
  readonly events: readonly FoundEvent[];
  readonly endpoints: readonly FoundEndpoint[];
  readonly receptors: readonly FoundReceptor[];
  readonly perspectives: readonly FoundPerspective[];
  readonly named: readonly FoundNamed[];
  readonly routes: readonly FoundOwnRoute[];
  readonly webhooks: readonly WebhooksModel[];
  readonly flags: readonly string[];
  readonly types: readonly NamedType[];
  /** The names that the types of commands, events and perspectives use. */
  readonly claims: readonly (readonly NameClaim[])[];
  readonly diagnostics: readonly Diagnostic[];
}

export function findingsOf(file: ts.SourceFile, tree: SourceTree): Findings {
  const diagnostics = new Diagnostics();
  diagnostics.syntaxErrors(tree.program, file);
  const reader = new TypeReader(tree, diagnostics);
  const commands = findCommands(file, tree, reader, diagnostics);
  const ofCommands = reader.claims();
  const events = findEvents(file, tree, reader, diagnostics);
  const ofEvents = reader.claims();
  const perspectives = findPerspectives(file, tree, reader, diagnostics);
  refuseProcessMessages(file, tree, diagnostics);
  const named = findNamed(file, tree, reader, diagnostics);
  const webhooks = findWebhooks(file, tree, reader, diagnostics);
  return {
    commands,
    events,
    endpoints: findEndpoints(file, tree),
    receptors: findReceptors(file, tree),
    perspectives,
    named,
    routes: findOwnRoutes(file, tree, reader, diagnostics),
    webhooks,
    flags: findFlags(file, tree, diagnostics),
    types: [...reader.types.values()],
    claims: [ofCommands, ofEvents, reader.claims()],
    diagnostics: diagnostics.all,
  };
}

function findEvents(
  file: ts.SourceFile,
  tree: SourceTree,
  reader: TypeReader,
  diagnostics: Diagnostics,
): readonly FoundEvent[] {
  return classesOf(file).flatMap((declaration) => {
    if (!extendsOurs(declaration, 'Event', tree.checker) || isAbstract(declaration)) return [];
    const exported = exportedFrom(declaration, tree);
    if (exported === undefined) {
      diagnostics.error('SVC1006', declaration, 'an event must be an exported class with a name');
      return [];
    }
    const type = tree.checker.getTypeAtLocation(declaration);
    const { name } = exported;
    reader.readNamed(type, { node: declaration, identity: declaration, path: name, name });
    return [
      {
        model: {
          ...exported,
          version: versionOf(declaration, tree.checker),
          description: documentationOf(type.getSymbol(), tree.checker),
        },
        declaration,
      },
    ];
  });
}

/** The literal of `static version`, also an inherited one; the runtime assumes 1 for anything else. */
function versionOf(declaration: ts.ClassDeclaration, checker: ts.TypeChecker): number {
  const symbol = declaration.name && checker.getSymbolAtLocation(declaration.name);
  const version = symbol && checker.getPropertyOfType(checker.getTypeOfSymbol(symbol), 'version');
  const declared = version?.declarations?.find(ts.isPropertyDeclaration)?.initializer;
  const value = declared === undefined ? undefined : literalValue(declared)?.value;
  return typeof value === 'number' ? value : 1;
}

const findReceptors = (file: ts.SourceFile, tree: SourceTree): readonly FoundReceptor[] =>
  classesOf(file).flatMap((declaration) => {
    const [argument] = implementsOurs(declaration, 'receptor', 'Receptor', tree.checker) ?? [];
    if (argument === undefined || isAbstract(declaration)) return [];
    const type = tree.checker.getTypeAtLocation(argument);
    const handles = type.isClass() ? type.symbol.valueDeclaration : undefined;
    if (handles === undefined) return [];
    const unmarked = isUnmarked(handles, tree) ? type.symbol.name : undefined;
    const names = classesNamedIn(declaration, tree.checker);
    return [{ ...readConstructor(declaration, tree), handles, unmarked, names }];
  });

const isUnmarked = (declaration: ts.Declaration, { checker }: SourceTree): boolean =>
  ts.isClassDeclaration(declaration) &&
  extendsOurs(declaration, 'Command', checker) &&
  markOf(declaration, checker) === undefined;
