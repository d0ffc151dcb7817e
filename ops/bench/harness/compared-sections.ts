import type { Section, SectionJson } from './report.js';
import type { Figures } from './rounds.js';
import type { Target } from './targets.js';

/** One run of a suite on each of two builds; the other is missing if its build cannot be measured. */
export interface Turn {
  readonly ours: readonly SectionJson[];
  readonly earlier: readonly SectionJson[];
}

/** The sections of our runs, with each variant of the earlier build below ours. */
export function comparedSections(turns: readonly Turn[], label: string, reason?: string): Section[] {
  const [first] = turns;
  return (first?.ours ?? []).map(({ title, figures, baseline, missing, ...section }, index) => {
    const rounds = new Map<string, readonly Figures[]>();
    const theirs = turns.map(({ earlier }) => earlier.find((one) => one.title === title) ?? earlier[index]);
    const alone: string[] = [];
    for (const variant of Object.keys(section.rounds)) {
      rounds.set(
        variant,
        turns.flatMap(({ ours }) => ours[index]?.rounds[variant] ?? []),
      );
      const found = theirs.flatMap((one) => one?.rounds[variant] ?? []);
      if (found.length > 0) rounds.set(earlierName(variant, label), found);
      else alone.push(variant);
    }
    const why = reason ?? 'its suite has no such variant';
    const unmeasured = rounds.size > alone.length ? alone.map((of) => earlierName(of, label)) : [label];
    return {
      title,
      figures,
      baseline,
      rounds,
      targets: targetsOf(rounds, figures, label),
      missing: [...missing, ...unmeasured.map((variant) => ({ variant, reason: why }))],
    };
  });
}

const earlierName = (variant: string, label: string): string => `${variant}, ${label}`;

/** Times, sizes and queries; those of the slowest are too uneven to compare. */
const isCost = (figure: string): boolean => /(?:^|\s)(?:ms|µs|KB|MB|seconds|queries\/s)$/.test(figure);
const isRate = (figure: string): boolean => figure.endsWith('/s') && !isCost(figure);
const isUneven = (figure: string): boolean => /p99|max|longest|slowest|late|shed|failed/.test(figure);

const targetsOf = (rounds: Section['rounds'], figures: readonly string[], label: string): Target[] =>
  [...rounds.keys()]
    .filter((of) => rounds.has(earlierName(of, label)))
    .flatMap((of) =>
      figures
        .filter((figure) => (isRate(figure) || isCost(figure)) && !isUneven(figure))
        .map((figure) => ({
          figure,
          of,
          against: earlierName(of, label),
          ...(isRate(figure) ? { atLeast: 0.97 } : { atMost: 1.03 }),
        })),
    );
