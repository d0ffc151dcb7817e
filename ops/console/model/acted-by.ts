/** Each action is recorded with who and why, in its own commit. */
export interface ActedBy {
  readonly actor: string;
  readonly reason: string | undefined;
}
