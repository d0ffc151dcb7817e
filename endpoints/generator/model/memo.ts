/** Tracks questions about the rest of the service while a value is made. */
export type Track<C> = <A>(question: (context: C) => A) => A;

interface TrackedRead<C> {
  readonly question: (context: C) => unknown;
  readonly answer: unknown;
}

interface MemoEntry<C, T> {
  readonly inputs: readonly unknown[];
  readonly asked: readonly TrackedRead<C>[];
  readonly value: T;
}

/** Makes a value once per object: again only when an input or the answer to a tracked question has changed. */
export class Memo {
  readonly #entries = new Map<string, WeakMap<object, unknown>>();

  /** Repeats the questions in their order, so that their effects on the context are repeated too. */
  of<C, T>(
    kind: string,
    object: object,
    inputs: readonly unknown[],
    context: C,
    make: (ask: Track<C>) => T,
  ): T {
    const all = this.#entries.get(kind) ?? new WeakMap<object, unknown>();
    this.#entries.set(kind, all);
    const known = all.get(object) as MemoEntry<C, T> | undefined;
    if (known !== undefined && isCurrent(known, inputs, context)) return known.value;
    const made = makeEntry(inputs, context, make);
    all.set(object, made);
    return made.value;
  }
}

const isCurrent = <C, T>(known: MemoEntry<C, T>, inputs: readonly unknown[], context: C): boolean =>
  known.inputs.length === inputs.length &&
  known.inputs.every((input, index) => input === inputs[index]) &&
  known.asked.every(({ question, answer }) => question(context) === answer);

function makeEntry<C, T>(
  inputs: readonly unknown[],
  context: C,
  make: (ask: Track<C>) => T,
): MemoEntry<C, T> {
  const asked: TrackedRead<C>[] = [];
  const value = make((question) => {
    const answer = question(context);
    asked.push({ question, answer });
    return answer;
  });
  return { inputs, asked, value };
}
