import { Problem } from '../../../contracts/problems.js';
import { knownEffect } from '../../../runtime/effects/known-effect.js';
import { ts } from '../compiler.js';
import { propertiesOf } from '../model/properties.js';
import { hasEndpoint, type NamedTypes } from '../model/service-model.js';
import type { FoundCommand } from './commands.js';
import type { Reading } from './reading.js';
import { implementsOurs, initializerOf } from './symbols.js';
import { textOf, valueOf } from './literals.js';

/** Under this key a found effect has the class of its command. */
export const requestKey = 'request';

/** The command that an effect does; what is wrong with its declaration is reported. */
export function requestOf(
  declaration: ts.ClassDeclaration,
  reading: Reading,
): ReadonlyMap<string, ts.Declaration> {
  const [request, done] = implementsOurs(declaration, 'effect', 'Effect', reading.checker) ?? [];
  const type = reading.checker.getTypeAtLocation(declaration);
  if (
    done !== undefined &&
    done.kind !== ts.SyntaxKind.VoidKeyword &&
    type.getProperty('stream') === undefined
  )
    reading.error(
      'SVC1061',
      declaration,
      'the effect returns events and names no stream for them; add stream = (request) => request.theId',
    );
  refuseSpans(declaration, reading);
  const handled = request && reading.checker.getTypeAtLocation(request).symbol?.valueDeclaration;
  return new Map(handled === undefined ? [] : [[requestKey, handled]]);
}

/** Only what is in the source as text is known before the host runs. */
function refuseSpans(declaration: ts.ClassDeclaration, reading: Reading): void {
  const texts = (node: ts.Node | undefined): object | undefined => {
    if (node === undefined || !ts.isObjectLiteralExpression(node)) return undefined;
    const members = node.properties.flatMap((one) => {
      const written = valueOf(one);
      const value = written && reading.checker.getTypeAtLocation(written);
      return value?.isLiteral() === true ? [[one.name?.getText(), value.value]] : [];
    });
    return Object.fromEntries(members) as object;
  };
  const timeout = initializerOf(declaration, 'timeout');
  const span = timeout && textOf(timeout, reading.checker);
  const settings = {
    ...(span !== undefined && { timeout: span }),
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
    reading.error('SVC1062', timeout ?? declaration, `the effect cannot run: ${reason}`);
  }
}

/** A command that an effect does is answered later, by events. */
export function refuseRoute({ model, declaration }: FoundCommand, types: NamedTypes, reading: Reading): void {
  if (hasEndpoint(model)) {
    const why = `${model.name} is done by an effect, after the answer; give the route to a command whose receptor sends ${model.name}`;
    reading.error('SVC1060', declaration, why);
  }
  const secret = propertiesOf(types, model.name).find(
    ({ name, sensitive }) => !sensitive && credential.test(name),
  );
  if (secret !== undefined) {
    const why = `${model.name}.${secret.name} looks like credentials, and a request is stored; give them to the constructor of the effect, or mark the field with @Sensitive`;
    reading.error('SVC1063', declaration, why);
  }
}

const credential = /password|passphrase|secret|credential|api_?key|private_?key|(access|auth|bearer)_?token/i;
