/** A piece of a document, plain and as the content of a string literal. */
export interface JsonFragment {
  readonly text: string;
  readonly quoted: string;
}

export const partOf = (text: string): JsonFragment => ({ text, quoted: JSON.stringify(text).slice(1, -1) });

/** A value as indented JSON. */
export const jsonText = (value: unknown, indent: number): string =>
  JSON.stringify(value, null, 2).replaceAll('\n', `\n${' '.repeat(indent)}`);

/** A member of an indented JSON object. */
export const memberOf = (name: string, value: unknown, indent: number): JsonFragment =>
  partOf(`${JSON.stringify(name)}: ${jsonText(value, indent)}`);

/** An indented JSON object, from encoded members. */
export function objectOf(
  members: readonly (readonly JsonFragment[])[],
  indent: number,
): readonly JsonFragment[] {
  if (members.length === 0) return [partOf('{}')];
  const first = partOf(`{\n${' '.repeat(indent + 2)}`);
  const next = partOf(`,\n${' '.repeat(indent + 2)}`);
  return [
    ...members.flatMap((member, index) => [index === 0 ? first : next, ...member]),
    partOf(`\n${' '.repeat(indent)}}`),
  ];
}
