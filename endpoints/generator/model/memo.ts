/** Asks about the rest of the service while something is made. */
export type Ask<C> = <A>(question: (context: C) => A) => A;

interface Asked<C> {
  readonly question: (context: C) => unknown;
  readonly answer: unknown;
}

interface Made<C, T> {
  readonly inputs: readonly unknown[];
  readonly asked: readonly Asked<C>[];
  readonly value: T;
}

/** Makes things once of an object: again only when an input is another, or when what was asked has another answer. */
export class Memo {
  readonly #made = new Map<string, WeakMap<object, unknown>>();

  /** Questions are asked again in their order, so that what they do to the context is done again, too. */
  of<C, T>(
    kind: string,
    object: object,
    inputs: readonly unknown[],
    context: C,
    make: (ask: Ask<C>) => T,
  ): T {
    const all = this.#made.get(kind) ?? new WeakMap<object, unknown>();
    this.#made.set(kind, all);
    const known = all.get(object) as Made<C, T> | undefined;
    if (known !== undefined && holds(known, inputs, context)) return known.value;
    const made = madeOf(inputs, context, make);
    all.set(object, made);
    return made.value;
  }
}

const holds = <C, T>(known: Made<C, T>, inputs: readonly unknown[], context: C): boolean =>
  known.inputs.length === inputs.length &&
  known.inputs.every((input, index) => input === inputs[index]) &&
  known.asked.every(({ question, answer }) => question(context) === answer);

function madeOf<C, T>(inputs: readonly unknown[], context: C, make: (ask: Ask<C>) => T): Made<C, T> {
  const asked: Asked<C>[] = [];
  const value = make((question) => {
    const answer = question(context);
    asked.push({ question, answer });
    return answer;
  });
  return { inputs, asked, value };
}
