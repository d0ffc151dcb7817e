/** How a perspective is built anew. */
export const RebuildMode = {
  /** From empty into a shadow table, verified, then swapped: readers never see a half-built model. */
  BlueGreen: 'BlueGreen',
  /** Truncated, then replayed. */
  InPlace: 'InPlace',
  /** Only the streams that are named. */
  SelectedStreams: 'SelectedStreams',
} as const;
export type RebuildMode = (typeof RebuildMode)[keyof typeof RebuildMode];
