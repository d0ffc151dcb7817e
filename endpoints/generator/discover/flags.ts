import { isFlagName } from '../../../contracts/flags.js';
import { ts } from '../compiler.js';
import type { Reading } from './reading.js';
import { isOurs } from './symbols.js';

/** The names in `flags.isOn('name')`; one that is only known at run time is not among them. */
export function findFlags(file: ts.SourceFile, reading: Reading): readonly string[] {
  const names: string[] = [];
  const visit = (node: ts.Node): void => {
    const argument = askedFlag(node, reading.checker);
    for (const name of argument === undefined ? [] : textsOf(reading.checker.getTypeAtLocation(argument))) {
      if (isFlagName(name)) names.push(name);
      else
        reading.error(
          'SVC1043',
          node,
          `'${name}' cannot be the name of a flag; use up to 100 letters, digits and . _ : / -`,
        );
    }
    ts.forEachChild(node, visit);
  };
  // Most files use no flag and need no walk.
  if (file.text.includes('isOn')) visit(file);
  return names;
}

function askedFlag(node: ts.Node, checker: ts.TypeChecker): ts.Expression | undefined {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return undefined;
  const { name } = node.expression;
  const isFlag = name.text === 'isOn' && isOurs(checker.getSymbolAtLocation(name), 'flags', 'isOn');
  return isFlag ? node.arguments[0] : undefined;
}

/** A literal, a constant, or a choice of literals. */
const textsOf = (type: ts.Type): readonly string[] =>
  (type.isUnion() ? type.types : [type]).flatMap((one) => (one.isStringLiteral() ? [one.value] : []));
