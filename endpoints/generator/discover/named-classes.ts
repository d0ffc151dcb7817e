import { isKebabCase, maxNameLength, maxPerspectiveName } from '../../../contracts/kebab-case.js';
import { Cron } from '../../../runtime/timers/cron.js';
import { ts } from '../compiler.js';
import { type FoundClass, readConstructor } from './constructor-dependencies.js';
import { requestOf } from './effects.js';
import { mustDeclareOrigin } from './declared-origins.js';
import { elementsOf } from './literals.js';
import type { Reading } from './reading.js';
import {
  callsIn,
  classesOf,
  implementsOurs,
  initializerOf,
  isAbstract,
  isOurs,
  symbolAt,
} from './symbols.js';
import type { TypeReader } from './type-reader.js';
import { classesNamedIn, type FoundVisible, visibleIn } from './visible-processes.js';

/** Classes that are known by the text of their `name`, and where their interfaces are declared. */
const interfaces = {
  decider: { file: 'decider', name: 'Decider' },
  reaction: { file: 'reaction', name: 'Reaction' },
  process: { file: 'actors/processes/process', name: 'Process' },
  schedule: { file: 'schedule', name: 'Schedule' },
  effect: { file: 'effect', name: 'Effect' },
} as const;

export type NamedKind = keyof typeof interfaces;

export interface FoundNamed extends FoundClass {
  readonly kind: NamedKind;
  /** What it is called in the store; undefined where only the running host knows. */
  readonly calls: string | undefined;
  /** The commands of a decider, each under its key, or the command of an effect. */
  readonly commands: ReadonlyMap<string, ts.Declaration>;
  /** The classes that a decider names. */
  readonly names: ReadonlySet<ts.Node>;
  /** Of a process with a route. */
  readonly visible: FoundVisible | null;
}

/** Every class that implements Decider, Reaction, Process, Schedule or Effect. */
export const findNamed = (file: ts.SourceFile, reader: TypeReader): readonly FoundNamed[] =>
  classesOf(file).flatMap((declaration) => {
    const kind = kindOf(declaration, reader.checker);
    if (kind === undefined || isAbstract(declaration)) return [];
    if (kind === 'schedule') refuseCron(declaration, reader);
    if (kind === 'reaction' || kind === 'process') mustDeclareOrigin(declaration, reader);
    for (const member of ['events', 'starts'])
      for (const element of elementsOf(initializerOf(declaration, member)))
        refuseAudit(symbolAt(element, reader.checker), element, reader);
    return [
      {
        ...readConstructor(declaration, reader.tree),
        kind,
        calls: nameOf(declaration, kind, reader),
        commands: commandsOfKind(kind, declaration, reader),
        names: kind === 'decider' ? classesNamedIn(declaration, reader.checker) : new Set(),
        visible: kind === 'process' ? visibleIn(declaration, reader) : null,
      },
    ];
  });

const commandsOfKind = (
  kind: NamedKind,
  declaration: ts.ClassDeclaration,
  reading: Reading,
): FoundNamed['commands'] => {
  if (kind === 'effect') return requestOf(declaration, reading);
  return kind === 'decider' ? commandsOf(declaration, reading) : new Map();
};

function kindOf(declaration: ts.ClassDeclaration, checker: ts.TypeChecker): NamedKind | undefined {
  const kinds = Object.keys(interfaces) as NamedKind[];
  return kinds.find((kind) => {
    const { file, name } = interfaces[kind];
    return implementsOurs(declaration, file, name, checker) !== undefined;
  });
}

/** The name in the store, if it is a literal and can be one. */
export function nameOf(
  declaration: ts.ClassDeclaration,
  kind: NamedKind | 'perspective',
  reading: Reading,
): string | undefined {
  const name = memberText(declaration, 'name', reading.checker);
  const longest = kind === 'perspective' ? maxPerspectiveName : maxNameLength;
  if (name === undefined || isKebabCase(name, longest)) return name;
  const node = initializerOf(declaration, 'name') ?? declaration;
  const why = `the name '${String(name)}' of a ${kind} must be in kebab-case, with at most ${longest} characters`;
  reading.error('SVC1046', node, why);
  return undefined;
}

/** Also an inherited one. */
function memberText(
  declaration: ts.ClassDeclaration,
  member: string,
  checker: ts.TypeChecker,
): string | undefined {
  const symbol = checker.getTypeAtLocation(declaration).getProperty(member);
  const type = symbol === undefined ? undefined : checker.getTypeOfSymbolAtLocation(symbol, declaration);
  return type?.isStringLiteral() === true ? type.value : undefined;
}

function commandsOf(declaration: ts.ClassDeclaration, reading: Reading): ReadonlyMap<string, ts.Declaration> {
  const symbol = reading.checker.getTypeAtLocation(declaration).getProperty('commands');
  const found = new Map<string, ts.Declaration>();
  if (symbol === undefined) return found;
  const at = initializerOf(declaration, 'commands') ?? declaration;
  const commands = reading.checker.getTypeOfSymbolAtLocation(symbol, declaration);
  for (const { name, type } of membersOf(commands, reading.checker, declaration)) {
    const handled = type.symbol?.valueDeclaration;
    if (handled !== undefined && ts.isClassDeclaration(handled)) found.set(name, handled);
    else
      reading.error(
        'SVC1050',
        at,
        `'${name}' is not the class of a command; write commands = { TheCommand }`,
      );
  }
  return found;
}

const membersOf = (type: ts.Type, checker: ts.TypeChecker, at: ts.Node) =>
  type.getProperties().map((member) => ({
    name: member.name,
    type: checker.getTypeOfSymbolAtLocation(member, at),
  }));

/** An audit of an audit would follow, and so on forever. */
function refuseAudit(symbol: ts.Symbol | undefined, node: ts.Node, reading: Reading): void {
  const audit = ['EventAudited', 'CommandAudited'].find((name) => isOurs(symbol, 'events/audited', name));
  if (audit !== undefined)
    reading.error('SVC1048', node, `${audit} cannot trigger anything: its commands would be audited, too`);
}

function refuseCron(declaration: ts.ClassDeclaration, reading: Reading): void {
  const cron = memberText(declaration, 'cron', reading.checker);
  const timeZone = memberText(declaration, 'timeZone', reading.checker);
  if (cron === undefined || timeZone === undefined) return;
  try {
    void new Cron(cron, timeZone);
  } catch (error) {
    const node = initializerOf(declaration, 'cron') ?? declaration;
    const reason = (error as Error).message.replace(/\.$/, '');
    reading.error('SVC1051', node, `the schedule cannot run: ${reason}`);
  }
}

/** In the messages of a process, each class stands under its own name: that is the type of the machine's event. */
export function refuseProcessMessages(file: ts.SourceFile, reading: Reading): void {
  for (const call of callsIn(file, 'actors/processes/process-setup', 'processSetup', reading.checker))
    refuseMessages(call.arguments[0], reading);
}

function refuseMessages(options: ts.Expression | undefined, reading: Reading): void {
  if (options === undefined || !ts.isObjectLiteralExpression(options)) return;
  for (const list of options.properties) {
    const name = list.name?.getText();
    if (name !== 'events' && name !== 'commands') continue;
    if (!ts.isPropertyAssignment(list) || !ts.isObjectLiteralExpression(list.initializer)) continue;
    const messages = reading.checker.getTypeAtLocation(list.initializer);
    for (const { name: key, type } of membersOf(messages, reading.checker, list)) {
      const own = type.symbol?.name;
      refuseAudit(type.symbol, list, reading);
      if (own !== undefined && own !== key)
        reading.error('SVC1049', list, `'${key}' must be the name of its class, ${own}; write { ${own} }`);
    }
  }
}

/** Two of one name would share their place in the store: cursors for reactions and processes, timers, states. */
export function refuseSameNames(found: readonly FoundNamed[], reading: Reading): void {
  const seen = new Map<string, ts.Node>();
  for (const { kind, calls, declaration } of found) {
    if (calls === undefined) continue;
    const place = kind === 'process' ? 'reaction' : kind;
    const other = seen.get(`${place} ${calls}`);
    seen.set(`${place} ${calls}`, declaration);
    if (other === undefined) continue;
    const where = reading.locationOf(other);
    reading.error('SVC1047', declaration, `the name '${calls}' is also used at ${where}; rename one of them`);
  }
}
