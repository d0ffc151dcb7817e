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

/** Makes things once: again only when an input is another object, or when what was asked has another answer. */
export class Memo {
  #before = new Map<string, unknown>();
  #now = new Map<string, unknown>();

  /** Forgets what was not used since the last turn. */
  turn(): void {
    this.#before = this.#now;
    this.#now = new Map();
  }

  /** Questions are asked again in their order, so that what they do to the context is done again, too. */
  of<C, T>(key: string, inputs: readonly unknown[], context: C, make: (ask: Ask<C>) => T): T {
    const known = (this.#now.get(key) ?? this.#before.get(key)) as Made<C, T> | undefined;
    const made = known !== undefined && holds(known, inputs, context) ? known : madeOf(inputs, context, make);
    this.#now.set(key, made);
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
