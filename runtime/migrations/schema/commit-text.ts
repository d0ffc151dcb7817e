/** The names of parameters, without their types. */
export const namesOf = (parameters: string): string =>
  parameters.replaceAll(
    / (?:uuid|bigint|text|int|bytea|smallint|json|timestamptz|boolean)(?:\[\])?(?=,|$)/gm,
    '',
  );

/** What stands at the marks of the text of the commit procedure. */
interface Marked {
  readonly version: string;
  readonly parameters: string;
  readonly names: string;
  readonly variables: string;
  /** Before any unit is decided. */
  readonly before: string;
  /** A condition for deciding all units at once. */
  readonly plain: string;
  /** Sets `st` of the unit `u`. */
  readonly check: string;
  /** The unit `u` is decided. */
  readonly store: string;
  /** All units are decided and stored. */
  readonly after: string;
  readonly notify: string;
}

/** There is one text for all versions, so that none decides in its own way. */
export const commitText = (text: string, marked: Partial<Marked>): string =>
  text.replaceAll(/\/\* lists: (\w+) \*\//g, (_mark, name: keyof Marked) => marked[name] ?? '');
