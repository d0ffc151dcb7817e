import { Problem } from '../../../contracts/problems.js';

/** A TypeScript string literal. */
export const quoted = (text: string): string =>
  `'${JSON.stringify(text)
    .slice(1, -1)
    .replaceAll(String.raw`\"`, '"')
    .replaceAll("'", String.raw`\'`)}'`;

/** `.name`, or `['a name']`. */
export const member = (name: string): string => (isIdentifier(name) ? `.${name}` : `[${quoted(name)}]`);

/** A property name in an object literal or an interface. */
export function key(name: string): string {
  // An object literal would set its prototype instead.
  if (name === '__proto__')
    throw new Problem('invalid-setup', { detail: "A property must not be named '__proto__'." });
  return isIdentifier(name) ? name : quoted(name);
}

/** The content of a template literal. */
export const templated = (text: string): string => text.replaceAll(/[\\`]|\$\{/g, String.raw`\$&`);

/** A line of documentation above a declaration; empty without a description. */
export const docComment = (
  { description }: { readonly description?: string | undefined },
  indent = '',
): string => (description === undefined ? '' : `${indent}/** ${description.replaceAll('*/', '*\\/')} */\n`);

export const indented = (lines: readonly string[], by = '  '): string[] => lines.map((line) => by + line);

const isIdentifier = (name: string): boolean => /^[A-Za-z_$][\w$]*$/.test(name);
