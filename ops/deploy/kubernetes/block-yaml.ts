/** A line with something on it. */
interface Line {
  readonly indent: number;
  readonly text: string;
}

type Value = unknown;

const deepest = 16;

/** What is not understood is refused, never guessed. */
class Unsupported extends SyntaxError {}

/**
 * Reads the YAML that kubectl and cloud tools write into a kubeconfig: block maps and lists, plain and quoted scalars,
 * literal blocks. Linear in the length of the text, unlike parsers of the whole language.
 */
export function parseBlockYaml(text: string): unknown {
  const reader = new Reader(text);
  const value = reader.block(-1, 0);
  if (!reader.isAtEnd) throw new Unsupported('a line is indented less than its list or map');
  return value;
}

class Reader {
  readonly #lines: readonly Line[];
  #at = 0;

  constructor(text: string) {
    this.#lines = text.split('\n').map(lineOf);
    this.#skipEmpty();
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#lines.length;
  }

  /** The list or map whose lines are indented more than `parent`. */
  block(parent: number, depth: number): Value {
    if (depth > deepest) throw new Unsupported('nested too deeply');
    const first = this.#lines[this.#at];
    if (first === undefined || first.indent <= parent) return null;
    return isItem(first.text) ? this.#list(first.indent, depth) : this.#map(first.indent, depth);
  }

  #list(indent: number, depth: number): Value[] {
    const items: Value[] = [];
    for (let line = this.#lines[this.#at]; line?.indent === indent && isItem(line.text);) {
      const rest = line.text.slice(1).trimStart();
      if (rest === '' || keyEnd(rest) === -1) items.push(this.#value(rest, indent, depth));
      else items.push(this.#map(indent + line.text.length - rest.length, depth + 1, rest));
      line = this.#lines[this.#at];
    }
    return items;
  }

  /** `first`: what follows the dash of a list, on the same line. */
  #map(indent: number, depth: number, first?: string): Value {
    const map = Object.create(null) as Record<string, Value>;
    let text = first ?? this.#lines[this.#at]?.text;
    while (text !== undefined) {
      const end = keyEnd(text);
      if (end === -1 || isItem(text)) throw new Unsupported('a line is neither a key nor an item');
      map[String(scalarOf(text.slice(0, end).trimEnd()))] = this.#value(
        text.slice(end + 1).trimStart(),
        indent,
        depth,
      );
      const next = this.#lines[this.#at];
      text = next?.indent === indent && !isItem(next.text) ? next.text : undefined;
    }
    return map;
  }

  /** A list may have the indentation of its key. */
  #value(rest: string, indent: number, depth: number): Value {
    this.#next();
    if (/^[|>]/.test(rest)) return this.#literal(indent);
    const value = rest.startsWith('#') ? '' : rest;
    if (value !== '') return scalarOf(value);
    const next = this.#lines[this.#at];
    const isListBelow = next?.indent === indent && isItem(next.text);
    return this.block(isListBelow ? indent - 1 : indent, depth + 1);
  }

  #literal(indent: number): string {
    const lines: string[] = [];
    for (let line = this.#lines[this.#at]; line !== undefined && line.indent > indent;) {
      lines.push(line.text);
      this.#next();
      line = this.#lines[this.#at];
    }
    return lines.join('\n');
  }

  #next(): void {
    this.#at++;
    this.#skipEmpty();
  }

  #skipEmpty(): void {
    for (let line = this.#lines[this.#at]; line !== undefined && isEmpty(line);)
      line = this.#lines[++this.#at];
  }
}

function lineOf(line: string): Line {
  const text = line.trim();
  if (/^ *\t/.test(line) && text !== '') throw new Unsupported('a tab indents a line');
  return { indent: line.length - line.trimStart().length, text };
}

const isEmpty = ({ text }: Line): boolean => text === '' || text.startsWith('#') || text === '---';
const isItem = (text: string): boolean => text === '-' || text.startsWith('- ');

/** Where the colon after a key is. */
function keyEnd(text: string): number {
  const quote = text.startsWith('"') ? '"' : text.startsWith("'") ? "'" : undefined;
  if (quote !== undefined) {
    const end = text.indexOf(quote, 1) + 1;
    return end > 0 && /^:(?:\s|$)/.test(text.slice(end, end + 2)) ? end : -1;
  }
  const end = text.indexOf(': ');
  return end === -1 && text.endsWith(':') ? text.length - 1 : end;
}

function scalarOf(text: string): Value {
  if (text.startsWith('"') || text.startsWith('[') || text.startsWith('{'))
    return JSON.parse(withoutComment(text)) as Value;
  if (text.startsWith("'")) {
    const quoted = withoutComment(text);
    if (quoted.length < 2 || !quoted.endsWith("'")) throw new Unsupported('a quote is open');
    return quoted.slice(1, -1).replaceAll("''", "'");
  }
  if (/^[&*!%@`|>]/.test(text)) throw new Unsupported('anchors, aliases and tags are not supported');
  const plain = withoutComment(text);
  if (plain === 'true' || plain === 'false') return plain === 'true';
  return plain === 'null' || plain === '~' ? null : plain;
}

/** A comment begins behind a space; inside quotes it would be text, so quoted text keeps it. */
function withoutComment(text: string): string {
  const at = text.indexOf(' #');
  if (at === -1) return text;
  const quote = text[0] === '"' || text[0] === "'" ? text[0] : undefined;
  const isInside = quote !== undefined && text.lastIndexOf(quote) > at;
  return isInside ? text : text.slice(0, at).trimEnd();
}
