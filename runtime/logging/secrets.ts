import { redacted, sealedPrefix } from '../../contracts/redaction.js';

/** More, or longer ones, are not looked for: the whole text is hidden. */
const maxValues = 1_000;
const longestValue = 5_000;
const longestText = 10_000;
/** Characters of the text times characters of the values: what the search may cost. The sender chooses both. */
const maxComparisons = 50_000_000;
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
    const forms = this.#hidesAll ? undefined : this.#formsIn(text);
    if (forms === undefined) return `${redacted} (${text.length} characters)`;
    const longest = Math.max(0, ...Array.from(forms, ({ length }) => length));
    // Longer than what is shown: a value at the end must be found as a whole.
    const searched = foldCase(text.slice(0, longestText + longest));
    const isHidden = new Uint8Array(searched.length);
    for (const form of forms)
      for (const at of placesOf(form, searched)) isHidden.fill(1, at, at + form.length);
    return shownOf(text.slice(0, longestText), isHidden);
  }

  /** The forms that the text may contain; undefined: looking for them would take too long. */
  #formsIn({ length }: string): ReadonlySet<string> | undefined {
    const forms = new Set<string>();
    let comparisons = 0;
    for (const value of this.#values) {
      // User code may have removed the spaces around it.
      const trimmed = value.trim();
      for (const form of trimmed.length > length ? [] : formsOf(trimmed)) {
        if (form.length > length || forms.has(form)) continue;
        forms.add(form);
        comparisons += form.length * Math.min(length, longestText);
        if (comparisons > maxComparisons) return undefined;
      }
    }
    return forms;
  }

  #addAll(value: unknown): void {
    if (typeof value === 'string' || typeof value === 'number') this.#addText(String(value));
    else if (isObject(value))
      for (const [name, item] of Object.entries(value)) {
        // No field has such a name: it is a key of a map.
        if (!/^[\w$]+$/.test(name)) this.#addText(name);
        this.#addAll(item);
      }
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

/** As it is, in JSON, in JSON that is text in JSON, and in the path and the query of an address. */
function formsOf(value: string): readonly string[] {
  const inJson = JSON.stringify(value).slice(1, -1);
  // Half of a surrogate pair has no form in an address.
  const inPath = encodeURIComponent(value.replaceAll(/\p{Cs}/gu, '\ufffd'));
  const inQuery = inPath.replaceAll('%20', '+').replaceAll(/[!'()~]/g, percentEncoded);
  return [value, inJson, JSON.stringify(inJson).slice(1, -1), inPath, inQuery].map(foldCase);
}

const percentEncoded = (character: string): string =>
  `%${character.charCodeAt(0).toString(16).toUpperCase()}`;

/** Where the form begins; places may overlap. */
function* placesOf(form: string, searched: string): Iterable<number> {
  for (let at = searched.indexOf(form); at >= 0; at = searched.indexOf(form, at + 1))
    if (form.length >= shortest || isWord(searched, at, at + form.length)) yield at;
}

const isWord = (text: string, from: number, to: number): boolean =>
  !/[\p{L}\p{N}]$/u.test(text.slice(Math.max(0, from - 2), from)) &&
  !/^[\p{L}\p{N}]/u.test(text.slice(to, to + 2));

function shownOf(text: string, isHidden: Uint8Array): string {
  let shown = '';
  for (let from = 0; from < text.length;) {
    const to = endOf(isHidden, from, text.length);
    shown += isHidden[from] === 1 ? redacted : text.slice(from, to);
    from = to;
  }
  return shown;
}

function endOf(isHidden: Uint8Array, from: number, end: number): number {
  const next = isHidden.indexOf(isHidden[from] === 1 ? 0 : 1, from);
  return next < 0 ? end : Math.min(next, end);
}

/** Text without the difference of upper and lower case, and of the same length: places in it are places in the text. */
const foldCase = (text: string): string =>
  // The only letter whose lower case is longer, and the only one whose lower case depends on its neighbors.
  text.replaceAll('İ', 'i').toLowerCase().replaceAll('ς', 'σ');
