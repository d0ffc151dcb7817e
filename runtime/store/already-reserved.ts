import { Problem } from '../../contracts/problems.js';

interface Step {
  readonly name: string;
  /** Null: it gives the name back. */
  readonly owner: string | null;
  /** False: it gives the name back. */
  readonly take?: boolean;
}

/** Says what is taken, such as the e-mail address, and never its value. */
export function alreadyReserved(steps: readonly Step[]): Problem {
  const taken = steps.filter(({ owner, take = owner !== null }) => take).map(({ name }) => name);
  const [one = 'name', ...more] = new Set(taken);
  const what = more.length === 0 ? `this ${one}` : `one of these: ${[one, ...more].join(', ')}`;
  return new Problem('already-reserved', { detail: `Another owner has ${what}.` });
}
