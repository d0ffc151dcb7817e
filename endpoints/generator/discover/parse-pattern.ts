/** One atom and its quantifier. */
export interface Part {
  readonly text: string;
  /** The content of a group; undefined for a character or a character class. */
  readonly group: readonly Part[][] | undefined;
  /** The sample characters that a character or a class matches; undefined for a group. */
  readonly characters: Characters | undefined;
  readonly min: number;
  /** Infinity also for a large count. */
  readonly max: number;
}

export type Characters = ReadonlySet<string>;

/** From this count on a repetition with a choice counts as unbounded. */
const many = 16;

/** The alternatives of a valid regular expression, each in its parts, without anchors and boundaries. */
export const partsOf = (pattern: string): readonly Part[][] => new PatternReader(pattern).alternatives();

const overlaps = new WeakMap<Characters, WeakMap<Characters, boolean>>();

export function overlap(a: Characters, b: Characters): boolean {
  let known = overlaps.get(a);
  if (known === undefined) overlaps.set(a, (known = new WeakMap()));
  let answer = known.get(b);
  if (answer === undefined) known.set(b, (answer = [...a].some((character) => b.has(character))));
  return answer;
}

const samples = [
  ...Array.from({ length: 256 }, (_, code) => String.fromCharCode(code)),
  ...['Ж', 'λ', '漢', '٣', '–', '\u2028', '😀'],
];

export const anyCharacter: Characters = new Set(samples);

/** The characters that the pattern names: they may be none of the samples. */
function namedIn(pattern: string): readonly string[] {
  const escaped = pattern.matchAll(/\\(?:u\{([\da-f]+)\}|u([\da-f]{4})|x([\da-f]{2}))/gi);
  const codes = [...escaped].map(([, ...digits]) => Number.parseInt(digits.join(''), 16));
  return [...Array.from(pattern), ...codes.map((code) => String.fromCodePoint(code))];
}

class PatternReader {
  #at = 0;
  readonly #samples: readonly string[];
  readonly #characters = new Map<string, Characters>();

  constructor(private readonly pattern: string) {
    this.#samples = [...new Set([...samples, ...namedIn(pattern)])];
  }

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
      const characters = group === undefined ? this.#charactersOf(text) : undefined;
      parts.push({ text, group, characters, ...this.#repeats() });
    }
  }

  #charactersOf(text: string): Characters {
    const known = this.#characters.get(text);
    if (known !== undefined) return known;
    const matcher = new RegExp(`^(?:${text})$`, 'u');
    const characters = new Set(this.#samples.filter((sample) => matcher.test(sample)));
    this.#characters.set(text, characters);
    return characters;
  }

  #group(): Part[][] {
    const inside = this.alternatives();
    this.#take(/^\)/);
    return inside;
  }

  #repeats(): Pick<Part, 'min' | 'max'> {
    const [, sign, least, comma, most] = this.#take(/^(?:([*+?])|\{(\d+)(,)?(\d+)?\})\??/) ?? [];
    if (sign !== undefined) return { min: sign === '+' ? 1 : 0, max: sign === '?' ? 1 : Infinity };
    const min = Number(least ?? 1);
    if (comma === undefined) return { min, max: min };
    const max = Number(most ?? Infinity);
    return { min, max: max > many && max > min ? Infinity : max };
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
