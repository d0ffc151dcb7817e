/** A bug that a run with faults found: the seed that shows it, and the commit that mends it. */
interface FoundBug {
  readonly run: string;
  readonly seed: number;
  readonly bug: string;
  readonly mended: string;
}

/** Since runs are recorded. Their seeds are run again by `npm run test:full`. */
export const foundBugs: readonly FoundBug[] = [
  {
    run: '--minutes 6',
    seed: 35,
    bug: 'Over a slow database, leases ended before answers arrived: relays sent the same messages for minutes, and the broker kept 197 of them twice.',
    mended: '9eecdd5c',
  },
  {
    run: '--minutes 6',
    seed: 18,
    bug: 'A host whose line to the database fell silent while it started kept its process, with one connection open, and neither served nor ended.',
    mended: '84b9eaaa',
  },
];
