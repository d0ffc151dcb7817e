/** A text that matches the pattern; undefined for an unsupported pattern. */
export function textMatching(pattern: string): string | undefined {
  try {
    const reader = new PatternReader(pattern);
    const text = reader.choice();
    return reader.isAtEnd && new RegExp(pattern, 'u').test(text) ? text : undefined;
  } catch {
    return undefined;
  }
}

const classes: Readonly<Record<string, string>> = { d: '0', w: 'a', s: ' ', D: 'a', W: '-', S: 'a' };
const controls: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', f: '\f', v: '\v' };
/** Tried in this order for a negated class. */
const candidates = ['a', '0', 'A', '-', '_', ' ', '.', '~', 'é', 'ß', '漢'];

/** Reads a regular expression from left to right and writes a shortest match. */
class PatternReader {
  #at = 0;

  constructor(private readonly pattern: string) {}

  get isAtEnd(): boolean {
    return this.#at >= this.pattern.length;
  }

  /** The first alternative; the others are parsed and ignored. */
  choice(): string {
    const first = this.#sequence();
    while (this.#take('|')) this.#sequence();
    return first;
  }

  #sequence(): string {
    let text = '';
    while (!this.isAtEnd && !this.#sees('|') && !this.#sees(')')) {
      const atom = this.#atom();
      text += atom.repeat(this.#times());
    }
    return text;
  }

  #atom(): string {
    if (this.#take('^') || this.#take('$')) return '';
    if (this.#take('(')) return this.#group();
    if (this.#take('[')) return this.#class();
    if (this.#take('\\')) return this.#escape();
    return this.#take('.') ? 'a' : this.#next();
  }

  #group(): string {
    const isAssertion = /^\?<?[=!]/.test(this.pattern.slice(this.#at));
    const opening = /^\?(?:[:=!]|<[=!]|<\w+>)/.exec(this.pattern.slice(this.#at))?.[0] ?? '';
    this.#at += opening.length;
    const text = this.choice();
    this.#take(')');
    return isAssertion ? '' : text;
  }

  #class(): string {
    const start = this.#at - 1;
    const isNegated = this.#take('^');
    const first = this.#take('\\') ? this.#escape() : this.#next();
    while (!this.isAtEnd && !this.#take(']')) this.#at += this.#sees('\\') ? 2 : 1;
    if (!isNegated) return first;
    const matcher = new RegExp(`^${this.pattern.slice(start, this.#at)}$`, 'u');
    return candidates.find((candidate) => matcher.test(candidate)) ?? '';
  }

  #escape(): string {
    const letter = this.#next();
    if (letter === 'b' || letter === 'B') return '';
    if (letter === 'p' || letter === 'P') return this.#property(letter);
    return classes[letter] ?? controls[letter] ?? letter;
  }

  #property(letter: string): string {
    const name = /^\{[^}]*\}/.exec(this.pattern.slice(this.#at))?.[0] ?? '';
    this.#at += name.length;
    const matcher = new RegExp(`^\\${letter}${name}$`, 'u');
    return candidates.find((candidate) => matcher.test(candidate)) ?? '';
  }

  /** The minimum number of repetitions. */
  #times(): number {
    if (this.#take('?') || this.#take('*')) return this.#lazily(0);
    if (this.#take('+')) return this.#lazily(1);
    const counted = /^\{(\d+)(?:,\d*)?\}/.exec(this.pattern.slice(this.#at));
    if (counted === null) return 1;
    this.#at += counted[0].length;
    return this.#lazily(Number(counted[1]));
  }

  #lazily(times: number): number {
    this.#take('?');
    return times;
  }

  #sees(character: string): boolean {
    return this.pattern[this.#at] === character;
  }

  #take(character: string): boolean {
    const isNext = this.#sees(character);
    if (isNext) this.#at++;
    return isNext;
  }

  #next(): string {
    const character = String.fromCodePoint(this.pattern.codePointAt(this.#at) ?? 0);
    this.#at += character.length;
    return character;
  }
}
