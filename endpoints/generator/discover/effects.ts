import { Problem } from '../../../contracts/problems.js';
import { knownEffect } from '../../../runtime/effects/known-effect.js';
import { type SourceTree, ts } from '../compiler.js';
import type { Diagnostics } from '../diagnostics.js';
import { hasEndpoint, type NamedType } from '../model/service-model.js';
import type { FoundCommand } from './commands.js';
import { implementsOurs, initializerOf } from './symbols.js';

/** Under this key a found effect has the class of its command. */
export const requestKey = 'request';

/** The command that an effect does; what is wrong with its declaration is reported. */
export function requestOf(
  declaration: ts.ClassDeclaration,
  { checker }: SourceTree,
  diagnostics: Diagnostics,
): ReadonlyMap<string, ts.Declaration> {
  const [request, done] = implementsOurs(declaration, 'effect', 'Effect', checker) ?? [];
  const type = checker.getTypeAtLocation(declaration);
  if (
    done !== undefined &&
    done.kind !== ts.SyntaxKind.VoidKeyword &&
    type.getProperty('stream') === undefined
  )
    diagnostics.error(
      'SVC1061',
      declaration,
      'the effect returns events and names no stream for them; add stream = (request) => request.theId',
    );
  refuseSpans(declaration, checker, diagnostics);
  const handled = request && checker.getTypeAtLocation(request).symbol?.valueDeclaration;
  return new Map(handled === undefined ? [] : [[requestKey, handled]]);
}

/** Only what is in the source as text is known before the host runs. */
function refuseSpans(
  declaration: ts.ClassDeclaration,
  checker: ts.TypeChecker,
  diagnostics: Diagnostics,
): void {
  const texts = (node: ts.Node | undefined): object | undefined => {
    if (node === undefined || !ts.isObjectLiteralExpression(node)) return undefined;
    const members = node.properties.flatMap((one) => {
      const value = ts.isPropertyAssignment(one) ? checker.getTypeAtLocation(one.initializer) : undefined;
      return value?.isLiteral() === true ? [[one.name?.getText(), value.value]] : [];
    });
    return Object.fromEntries(members) as object;
  };
  const timeout = initializerOf(declaration, 'timeout');
  const span = timeout && checker.getTypeAtLocation(timeout);
  const settings = {
    ...(span?.isStringLiteral() === true && { timeout: span.value }),
    retries: texts(initializerOf(declaration, 'retries')) ?? {},
  };
  try {
    knownEffect({
      command: Object as never,
      effect: { name: 'effect', call: () => Promise.resolve(), ...settings },
    });
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    const reason = error.message.replace(/^The effect 'effect':? /, '').replace(/\.$/, '');
    diagnostics.error('SVC1062', timeout ?? declaration, `the effect cannot run: ${reason}`);
  }
}

/** A command that an effect does is answered later, by events. */
export function refuseRoute(
  { model, declaration }: FoundCommand,
  types: ReadonlyMap<string, NamedType>,
  diagnostics: Diagnostics,
): void {
  if (hasEndpoint(model))
    diagnostics.error(
      'SVC1060',
      declaration,
      `${model.name} is done by an effect, after the answer; give the route to a command whose receptor sends ${model.name}`,
    );
  const type = types.get(model.name)?.type;
  const open = type?.kind === 'object' ? type.properties : [];
  const secret = open.find(({ name, sensitive }) => !sensitive && credential.test(name));
  if (secret !== undefined)
    diagnostics.error(
      'SVC1063',
      declaration,
      `${model.name}.${secret.name} looks like credentials, and a request is stored; give them to the constructor of the effect, or mark the field with @Sensitive`,
    );
}

const credential = /password|passphrase|secret|credential|api_?key|private_?key|(access|auth|bearer)_?token/i;
