/** A statement that would affect running code or its users. */
export interface Finding {
  readonly file: string;
  readonly line: number;
  readonly rule: string;
  /** `breaks`: running code fails; `blocks`: it waits. */
  readonly effect: 'breaks' | 'blocks';
  readonly message: string;
  /** The safe alternative. */
  readonly instead: string;
}
