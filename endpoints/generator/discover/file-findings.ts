import { type SourceTree, ts } from '../compiler.js';
import type { Diagnostic } from '../diagnostics.js';
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
  /** The names that the types of commands use. */
  readonly claims: readonly NameClaim[];
  readonly claimsOfEvents: readonly NameClaim[];
  /** Of perspectives, processes, webhooks and own routes. */
  readonly claimsOfReads: readonly NameClaim[];
  readonly diagnostics: readonly Diagnostic[];
}

export function findingsOf(file: ts.SourceFile, tree: SourceTree): Findings {
  const reader = new TypeReader(tree);
  reader.diagnostics.syntaxErrors(tree.program, file);
  // In this order: each part claims the names that it is the first to use.
  const commands = findCommands(file, reader);
  const claims = reader.claims();
  const events = findEvents(file, reader);
  const claimsOfEvents = reader.claims();
  const perspectives = findPerspectives(file, reader);
  refuseProcessMessages(file, reader);
  const named = findNamed(file, reader);
  const webhooks = findWebhooks(file, reader);
  return {
    commands,
    events,
    endpoints: findEndpoints(file, tree),
    receptors: findReceptors(file, tree),
    perspectives,
    named,
    routes: findOwnRoutes(file, reader),
    webhooks,
    flags: findFlags(file, reader),
    types: [...reader.types.values()],
    claims,
    claimsOfEvents,
    claimsOfReads: reader.claims(),
    diagnostics: reader.diagnostics.all,
  };
}

/** The declarations of all files. */
export function together(files: readonly Findings[]): Findings {
  const all = <T>(part: (findings: Findings) => readonly T[]): readonly T[] => files.flatMap(part);
  return {
    commands: all(({ commands }) => commands),
    events: all(({ events }) => events),
    endpoints: all(({ endpoints }) => endpoints),
    receptors: all(({ receptors }) => receptors),
    perspectives: all(({ perspectives }) => perspectives),
    named: all(({ named }) => named),
    routes: all(({ routes }) => routes),
    webhooks: all(({ webhooks }) => webhooks),
    flags: all(({ flags }) => flags),
    types: all(({ types }) => types),
    claims: all(({ claims }) => claims),
    claimsOfEvents: all(({ claimsOfEvents }) => claimsOfEvents),
    claimsOfReads: all(({ claimsOfReads }) => claimsOfReads),
    diagnostics: all(({ diagnostics }) => diagnostics),
  };
}

function findEvents(file: ts.SourceFile, reader: TypeReader): readonly FoundEvent[] {
  return classesOf(file).flatMap((declaration) => {
    if (!extendsOurs(declaration, 'Event', reader.checker) || isAbstract(declaration)) return [];
    const exported = exportedFrom(declaration, reader.tree);
    if (exported === undefined) {
      reader.error('SVC1006', declaration, 'an event must be an exported class with a name');
      return [];
    }
    const type = reader.checker.getTypeAtLocation(declaration);
    const { name } = exported;
    reader.readNamed(type, { node: declaration, identity: declaration, path: name, name });
    const version = versionOf(declaration, reader.checker);
    const description = documentationOf(type.getSymbol(), reader.checker);
    return [{ model: { ...exported, version, description }, declaration }];
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
