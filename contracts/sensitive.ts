/** Marks a field that audits store as `"[redacted]"`. The generator reads the mark; at run time it does nothing. */
export const Sensitive =
  () =>
  (_value: undefined, _field: ClassFieldDecoratorContext): void => {};
