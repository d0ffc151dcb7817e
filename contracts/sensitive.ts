/** Marks a field that audits store as `"[redacted]"`. The generator reads the mark; it has no effect at run time. */
export const Sensitive =
  () =>
  (_value: undefined, _field: ClassFieldDecoratorContext): void => {};
