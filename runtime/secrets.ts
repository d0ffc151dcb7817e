import { redacted, sealedPrefix } from '../contracts/redaction.js';

/** More, or longer ones, are not looked for: the whole text is hidden. */
const maxValues = 1_000;
const longestValue = 5_000;
const longestText = 10_000;
/** A shorter value is hidden where it is a word: it occurs in others by chance. */
const shortest = 4;

/** The values of sensitive fields, which an error may repeat. */
export class Secrets {
  readonly #values = new Set<string>();
  #hidesAll = false;

  /** Adds the values that `shown`, a copy with its sensitive fields hidden, lacks. */
  add(value: unknown, shown: unknown): this {
    if (shown === redacted) this.#addAll(value);
    else if (Array.isArray(value) && Array.isArray(shown))
      value.forEach((item, index) => this.add(item, shown[index]));
    else if (isObject(value) && isObject(shown))
      for (const [name, item] of Object.entries(value)) this.add(item, shown[name]);
    return this;
  }

  addFrom(others: Secrets | undefined): void {
    if (others === undefined) return;
    for (const value of others.#values) this.#addText(value);
    this.#hidesAll ||= others.#hidesAll;
  }

  /** The text with every such value hidden, as it is, in JSON, or in an address. */
  hideIn(text: string): string {
    if (this.#hidesAll) return `${redacted} (${text.length} characters)`;
    // Longer than what is shown: a value at the end must be found as a whole.
    let shown = text.slice(0, longestText + longestValue);
    for (const value of [...this.#values].toSorted((a, b) => b.length - a.length))
      for (const form of formsOf(value)) shown = shown.replace(patternOf(form), redacted);
    return shown.slice(0, longestText);
  }

  #addAll(value: unknown): void {
    if (typeof value === 'string' || typeof value === 'number') this.#addText(String(value));
    else if (isObject(value)) for (const item of Object.values(value)) this.#addAll(item);
  }

  #addText(text: string): void {
    if (text.trim() === '' || text === redacted) return;
    // An error may repeat the plain text of a sealed value, which is unknown here.
    if (text.startsWith(sealedPrefix) || text.length > longestValue || this.#values.size >= maxValues)
      this.#hidesAll = true;
    else this.#values.add(text);
  }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;

/** Half of a surrogate pair has no form in an address. */
const formsOf = (value: string): ReadonlySet<string> =>
  new Set([
    value,
    JSON.stringify(value).slice(1, -1),
    encodeURIComponent(value.replaceAll(/\p{Cs}/gu, '\ufffd')),
  ]);

function patternOf(text: string): RegExp {
  const exact = text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  const isWord = text.length < shortest;
  return new RegExp(isWord ? `(?<![\\p{L}\\p{N}])${exact}(?![\\p{L}\\p{N}])` : exact, 'giu');
}
