import { anyCharacter, type Characters, overlap, type Part, partsOf } from './parse-pattern.js';
import { conflictsAt, isAmbiguous, isLarge, type Position, positionsOf } from './pattern-positions.js';

/** This many steps take about a millisecond. */
const maxSteps = 1_000_000;
/** Ways to match one text with parts that are repeated a limited number of times. */
const maxWays = 1_000;
const longestPattern = 2_000;

/** Why matching may take too long for texts of this length; undefined when the pattern is fast enough. */
export function slownessOf(pattern: string, maxLength = Number.POSITIVE_INFINITY): string | undefined {
  if (pattern.length > longestPattern) return `is longer than ${longestPattern} characters`;
  if (/\\(?:[1-9]|k<)/.test(pattern.replaceAll('\\\\', '')))
    return 'uses a backreference; write the group out';
  const alternatives = partsOf(pattern);
  const slow = alternatives.map(slowPart).find(Boolean);
  if (slow !== undefined) return slow;
  if (waysOf(alternatives) > maxWays)
    return 'can match one text in many ways, because repeated parts match the same characters; add a delimiter';
  const before = pattern.startsWith('^') ? [] : [{ characters: anyCharacter }];
  const degree = Math.max(...alternatives.map((parts) => walk(parts, { open: before, loops: [] }).degree));
  if (degree < 2 || maxLength ** degree <= maxSteps) return undefined;
  const longest = Math.floor(maxSteps ** (1 / degree) + 1e-9);
  return `may take n^${degree} steps for n characters; add @maxLength ${longest} or less${before.length > 0 ? ', or begin it with ^' : ''}`;
}

function slowPart(parts: readonly Part[]): string | undefined {
  for (const part of parts) {
    const { group, text } = part;
    if (group === undefined) continue;
    const inner = group.map(slowPart).find(Boolean);
    if (inner !== undefined) return inner;
    if (isEndless(part) && isAmbiguous(positionsOf([[part]], isEndless)))
      return `repeats '${text}', which can match one text in many ways; add a delimiter`;
  }
  return undefined;
}

/** Without a bound, or with one and content without: each round multiplies the ways of the others. */
const isEndless = (part: Part): boolean =>
  part.max === Infinity || (part.group !== undefined && part.max > 1 && part.group.flat().some(hasEndless));

const hasEndless = (part: Part): boolean =>
  part.max === Infinity || (part.group?.flat().some(hasEndless) ?? false);

/** At most this many ways to match one text, when what repeats without a bound is matched in one way. */
function waysOf(alternatives: readonly (readonly Part[])[]): number {
  const mayRepeat = ({ min, max, group }: Part): boolean => max > 1 && (max > min || group !== undefined);
  const positions = positionsOf(alternatives, mayRepeat);
  if (isLarge(positions)) return Infinity;
  const contested = new Set<Part | undefined>();
  for (const position of positions)
    for (const pair of conflictsAt(position)) for (const { part } of pair) contested.add(part);
  const isContested = ({ group }: Part): boolean =>
    group?.flat().some((part) => contested.has(part) || isContested(part)) ?? false;
  const ofChoice = (each: readonly (readonly Part[])[], isForced: boolean): number =>
    each.reduce((sum, parts) => sum + parts.reduce((ways, part) => ways * ofPart(part, isForced), 1), 0);
  const ofPart = (part: Part, isForced: boolean): number => {
    const { group, min, max } = part;
    // Any of the required rounds may be the empty ones.
    const choosesRounds = group !== undefined && min > 1 && group.some((parts) => parts.every(isNullable));
    const counts = isForced || choosesRounds;
    if (!counts && !contested.has(part) && !isContested(part)) return 1;
    if (group === undefined) return max === Infinity ? 1 : max - min + 1;
    const ways = ofChoice(group, counts);
    let all = 0;
    for (let rounds = min; rounds <= (max === Infinity ? min : max); rounds++) all += ways ** rounds;
    return all;
  };
  return ofChoice(alternatives, false);
}

const isNullable = ({ min, group }: Part): boolean =>
  min === 0 || (group?.some((parts) => parts.every(isNullable)) ?? false);

/** The repetitions that may continue. */
interface Continuing {
  readonly open: readonly Pick<Position, 'characters'>[];
  readonly loops: readonly Loop[];
}

/** A group that repeats: the characters it begins with, and all of it. */
interface Loop {
  readonly heads: Characters;
  readonly all: Characters;
}

/** How many repetitions can match the same characters, and which of them may continue after these parts. */
interface Walk extends Continuing {
  readonly degree: number;
}

function walk(parts: readonly Part[], before: Continuing): Walk {
  let degree = 0;
  let { open, loops } = before;
  for (const part of parts) {
    const { characters, max, min } = part;
    if (characters === undefined) {
      const inside = walkGroup(part, { open, loops });
      ({ open, loops } = inside);
      degree = Math.max(degree, inside.degree);
    } else if (max === Infinity) {
      degree = Math.max(degree, 1 + open.filter((other) => overlap(other.characters, characters)).length);
      open = [...open, { characters }];
    } else if (min > 0) {
      // A repetition that cannot match a required character has ended before it.
      open = open.filter((other) => overlap(other.characters, characters));
      loops = loops.filter(({ all }) => overlap(all, characters));
    }
  }
  return { degree, open, loops };
}

function walkGroup(part: Part, before: Continuing): Walk {
  const group = part.group ?? [];
  const inner = group.map((alternative) => walk(alternative, before));
  let degree = Math.max(...inner.map((each) => each.degree));
  const after = inner.flatMap((each) => each.open);
  const open = [...new Set(part.min === 0 ? [...before.open, ...after] : after)];
  const loops = [...new Set(part.min === 0 ? before.loops : inner.flatMap((each) => each.loops))];
  if (part.max !== Infinity) return { degree, open, loops };
  const loop = { heads: headsOf(part), all: allOf(part) };
  const continuing = before.open.filter((each) => after.includes(each)).length;
  degree = Math.max(degree, 1 + continuing + loops.filter(({ heads }) => overlap(heads, loop.heads)).length);
  return { degree, open, loops: [...loops, loop] };
}

const headsOf = (part: Part): Characters => {
  const [start] = positionsOf([[part]], () => false);
  return new Set(start?.next.flatMap(({ characters }) => [...characters]));
};

const allOf = ({ characters, group }: Part): Characters =>
  characters ?? new Set(group?.flat().flatMap((part) => [...allOf(part)]));
