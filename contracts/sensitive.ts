/** Whose value a sensitive field holds. */
export interface SensitiveOptions {
  /**
   * The field with the id of the person or thing that the value is about. The value is stored encrypted with the key of
   * that subject, until the subject is forgotten. It is beside the sensitive field, or at the top of the event.
   */
  readonly subject: string;
}

/**
 * Marks a field that audits store as `"[redacted]"`. With a subject, events and messages hold the value encrypted. The
 * generator reads the mark; it has no effect at run time.
 *
 * @example
 * ```ts
 * @Sensitive({ subject: 'customerId' })
 * email!: string;
 * ```
 */
export const Sensitive =
  (_options?: SensitiveOptions) =>
  (_value: undefined, _field: ClassFieldDecoratorContext): void => {};
