import { anyCharacter, type Characters, charactersOf, overlap, type Part, partsOf } from './parse-pattern.js';

/** This many steps take about a millisecond. */
const maxSteps = 1_000_000;

/** Why matching may take too long for texts of this length; undefined when the pattern is fast enough. */
export function slownessOf(pattern: string, maxLength = Number.POSITIVE_INFINITY): string | undefined {
  if (/\\(?:[1-9]|k<)/.test(pattern.replaceAll('\\\\', '')))
    return 'uses a backreference; write the group out';
  const alternatives = partsOf(pattern);
  const slow = alternatives.map(slowPart).find(Boolean);
  if (slow !== undefined) return slow;
  const before = pattern.startsWith('^') ? [] : [anyCharacter];
  const degree = Math.max(...alternatives.map((parts) => walk(parts, before).degree));
  if (degree < 2 || maxLength ** degree <= maxSteps) return undefined;
  const longest = Math.floor(maxSteps ** (1 / degree) + 1e-9);
  return `may take n^${degree} steps for n characters; add @maxLength ${longest} or less${before.length > 0 ? ', or begin it with ^' : ''}`;
}

/** How many repetitions can match the same characters, and which of them may continue after these parts. */
interface Walk {
  readonly degree: number;
  readonly open: readonly Characters[];
}

function walk(parts: readonly Part[], before: readonly Characters[]): Walk {
  let degree = 0;
  let open = before;
  for (const part of parts) {
    const characters = charactersOf(part);
    if (characters === undefined) {
      const inner = (part.group ?? []).map((alternative) => walk(alternative, open));
      degree = Math.max(degree, ...inner.map((each) => each.degree));
      const after = inner.flatMap((each) => each.open);
      open = [...new Set(isOptional(part) ? [...open, ...after] : after)];
    } else if (part.repeats === 'often') {
      degree = Math.max(degree, 1 + open.filter((other) => overlap(other, characters)).length);
      open = [...open, characters];
    } else if (part.repeats === 'once' || part.repeats === 'counted') {
      // A repetition that cannot match a required character has ended before it.
      open = open.filter((other) => overlap(other, characters));
    }
  }
  return { degree, open };
}

const isOptional = ({ repeats }: Part): boolean => repeats === 'often' || repeats === 'at most once';

function slowPart(parts: readonly Part[]): string | undefined {
  for (const { group, repeats, text } of parts) {
    if (group === undefined) continue;
    if (repeats === 'often' && !isUnambiguous(group))
      return `repeats '${text}', which can match one text in many ways; add a delimiter`;
    const inner = group.map(slowPart).find(Boolean);
    if (inner !== undefined) return inner;
  }
  return undefined;
}

/** Rounds of a repeated group are unambiguous: by a delimiter, or because they have one length. */
function isUnambiguous(alternatives: readonly Part[][]): boolean {
  const heads = alternatives.map(([first]) => first && charactersOf(first));
  const areDistinct = heads.every((head, index) =>
    heads
      .slice(index + 1)
      .every((other) => head !== undefined && other !== undefined && !overlap(head, other)),
  );
  return areDistinct && alternatives.every((parts) => parts.every(isFixed) || isDelimited(parts));
}

const isFixed = ({ group, repeats }: Part): boolean =>
  repeats === 'once' &&
  (group === undefined || (group.length === 1 && group.every((parts) => parts.every(isFixed))));

/** It begins or ends with a character that nothing else in it can match. */
function isDelimited(parts: readonly Part[]): boolean {
  const isDelimiter = (index: number): boolean => {
    const delimiter = parts[index];
    const own = delimiter?.repeats === 'once' ? charactersOf(delimiter) : undefined;
    if (own === undefined) return false;
    return parts.every((part, other) => {
      if (other === index) return true;
      const characters = charactersOf(part);
      return characters !== undefined && !overlap(own, characters);
    });
  };
  return isDelimiter(0) || isDelimiter(parts.length - 1);
}
