/** One atom and its quantifier. */
export interface Part {
  readonly text: string;
  /** The content of a group; undefined for a character or a character class. */
  readonly group: readonly Part[][] | undefined;
  readonly repeats: 'once' | 'at most once' | 'counted' | 'often';
}

/** From this count on a repetition counts as unbounded. */
const many = 16;

/** The alternatives of a valid regular expression, each in its parts, without anchors and boundaries. */
export const partsOf = (pattern: string): readonly Part[][] => new PatternReader(pattern).alternatives();

/** The sample characters that a character or a class matches; undefined for a group. */
export function charactersOf({ text, group }: Part): Characters | undefined {
  if (group !== undefined) return undefined;
  const matcher = new RegExp(`^(?:${text})$`, 'u');
  return new Set(samples.filter((sample) => matcher.test(sample)));
}

export type Characters = ReadonlySet<string>;

export const overlap = (a: Characters, b: Characters): boolean =>
  [...a].some((character) => b.has(character));

const samples = [
  ...Array.from({ length: 256 }, (_, code) => String.fromCharCode(code)),
  ...['Ж', 'λ', '漢', '٣', '–', '\u2028', '😀'],
];

export const anyCharacter: Characters = new Set(samples);

class PatternReader {
  #at = 0;

  constructor(private readonly pattern: string) {}

  alternatives(): Part[][] {
    const all = [this.#sequence()];
    while (this.#take(/^\|/) !== undefined) all.push(this.#sequence());
    return all;
  }

  #sequence(): Part[] {
    const parts: Part[] = [];
    for (;;) {
      if (this.#take(/^(?:[\^$]|\\[bB])/) !== undefined) continue;
      const start = this.#at;
      const group = this.#take(/^\((?:\?(?:[:=!]|<[=!]|<\w+>))?/) === undefined ? undefined : this.#group();
      const isAtom = group !== undefined || this.#take(atom) !== undefined;
      if (!isAtom) return parts;
      const text = this.pattern.slice(start, this.#at);
      parts.push({ text, group, repeats: this.#repeats() });
    }
  }

  #group(): Part[][] {
    const inside = this.alternatives();
    this.#take(/^\)/);
    return inside;
  }

  #repeats(): Part['repeats'] {
    const [, sign, min, comma, max] = this.#take(/^(?:([*+?])|\{(\d+)(,)?(\d+)?\})\??/) ?? [];
    if (sign !== undefined) return sign === '?' ? 'at most once' : 'often';
    if (min === undefined) return 'once';
    if (comma === undefined) return Number(min) > 1 ? 'counted' : 'once';
    return max === undefined || Number(max) > many ? 'often' : 'counted';
  }

  #take(expected: RegExp): RegExpExecArray | undefined {
    const found = expected.exec(this.pattern.slice(this.#at));
    if (found === null) return undefined;
    this.#at += found[0].length;
    return found;
  }
}

const atom =
  /^(?:\\(?:p\{[^}]*\}|P\{[^}]*\}|u\{[^}]*\}|u[\da-fA-F]{4}|x[\da-fA-F]{2}|c[A-Za-z]|[^])|\[(?:\\[^]|[^\]\\])*\]|[^|)(])/u;
