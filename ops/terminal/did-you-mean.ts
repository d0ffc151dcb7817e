/** ` Did you mean start?`, or nothing when no name is near what was typed. */
export function didYouMean(typed: string, names: readonly string[]): string {
  const near = nearest(typed, names);
  return near === undefined ? '' : ` Did you mean ${near}?`;
}

/** The name that was probably meant. */
export function nearest(typed: string, names: readonly string[]): string | undefined {
  const most = typed.length < 4 ? 1 : 2;
  if (names.includes(typed)) return undefined;
  return names
    .map((name) => ({ name, distance: distanceOf(typed, name) }))
    .filter(({ distance }) => distance > 0 && distance <= most)
    .toSorted((one, other) => one.distance - other.distance)[0]?.name;
}

/** A longer one is no mistyped name, and would take long to compare. */
const longest = 40;

/** The letters to insert, leave out, replace or swap with their neighbor. */
function distanceOf(typed: string, name: string): number {
  if (typed.length > longest) return Infinity;
  let [beforeLast, last]: number[][] = [[], Array.from({ length: name.length + 1 }, (_, at) => at)];
  for (let row = 1; row <= typed.length; row++) {
    const next = [row];
    for (let at = 1; at <= name.length; at++) {
      const same = typed[row - 1] === name[at - 1];
      const isSwapped = typed[row - 1] === name[at - 2] && typed[row - 2] === name[at - 1];
      next.push(
        Math.min(
          (next[at - 1] ?? 0) + 1,
          (last?.[at] ?? 0) + 1,
          (last?.[at - 1] ?? 0) + (same ? 0 : 1),
          isSwapped ? (beforeLast?.[at - 2] ?? Infinity) + 1 : Infinity,
        ),
      );
    }
    [beforeLast, last] = [last, next];
  }
  return last?.[name.length] ?? Infinity;
}

/** The actions of a verb, as its help shows them: `svc stuck retry|skip ID`. */
export function actionsIn(verb: string, help: string): readonly string[] {
  const shown = help.matchAll(/^svc ([\w-]+) ([a-z][\w|-]*)/gm);
  return [...new Set([...shown].flatMap(([, of, names = '']) => (of === verb ? names.split('|') : [])))];
}
