/** What is known of a node of a graph. */
interface Visit {
  readonly order: number;
  /** The earliest node on the path that it reaches. */
  low: number;
  isOnPath: boolean;
}

/** The groups of nodes that all reach each other, in one pass; a node is a place in the list of successors. */
export function cyclesIn(next: readonly (readonly number[])[]): readonly (readonly number[])[] {
  const visits: (Visit | undefined)[] = [];
  const path: number[] = [];
  const cycles: (readonly number[])[] = [];
  let order = 0;
  const visit = (node: number): Visit => {
    const here: Visit = { order, low: order++, isOnPath: true };
    visits[node] = here;
    path.push(node);
    for (const to of next[node] ?? []) {
      const known = visits[to];
      const seen = known ?? visit(to);
      if (seen.isOnPath) here.low = Math.min(here.low, known === undefined ? seen.low : seen.order);
    }
    if (here.low < here.order) return here;
    const group = path.splice(path.lastIndexOf(node));
    for (const member of group) (visits[member] ?? here).isOnPath = false;
    if (group.length > 1 || next[node]?.includes(node)) cycles.push(group);
    return here;
  };
  for (const node of next.keys()) if (visits[node] === undefined) visit(node);
  return cycles;
}
