// An escape counts only after an even number of backslashes.
const unstorable = /(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f][0-9a-f]{2})/;
const everyUnstorable = new RegExp(unstorable, 'g');

/** The json type accepts U+0000 and lone surrogates, and then every view over the column fails: so they are never stored. */
export const isStorable = (json: string): boolean => !json.includes('\\u') || !unstorable.test(json);

/** JSON text with U+FFFD in place of what cannot be stored. */
export const storableText = (json: string): string =>
  isStorable(json) ? json : json.replaceAll(everyUnstorable, '$1\ufffd');

/** The beginning of a text without U+0000, in which half of a character is U+FFFD: the cut may go through one. */
export const storableStart = (text: string, length: number): string =>
  JSON.parse(storableText(JSON.stringify(text.replaceAll('\0', '').slice(0, length)))) as string;
