/** A piece of a document, and the same inside the quotes of a string literal. */
export interface DocumentPart {
  readonly text: string;
  readonly quoted: string;
}

export const partOf = (text: string): DocumentPart => ({ text, quoted: JSON.stringify(text).slice(1, -1) });

/** A value as JSON that stands at an indentation. */
export const jsonText = (value: unknown, indent: number): string =>
  JSON.stringify(value, null, 2).replaceAll('\n', `\n${' '.repeat(indent)}`);

export type Member = readonly [name: string, value: readonly DocumentPart[]];

/** A JSON object at an indentation, of members that are written already. */
export function membersOf(members: readonly Member[], indent: number): readonly DocumentPart[] {
  if (members.length === 0) return [partOf('{}')];
  const inner = ' '.repeat(indent + 2);
  return [
    ...members.flatMap(([name, value], index) => [
      partOf(`${index === 0 ? '{' : ','}\n${inner}${JSON.stringify(name)}: `),
      ...value,
    ]),
    partOf(`\n${' '.repeat(indent)}}`),
  ];
}
