/** An outcome, in the order of the log. */
export interface StoredOutcome {
  readonly type: string;
  /** The stream, and the number of the request in it. */
  readonly account: string;
  readonly n: number;
  /** The number of its EventAudited. */
  readonly audits: number;
}

export interface StoredEffects {
  readonly outcomes: readonly StoredOutcome[];
  readonly commandAudits: number;
  /** Requests that have not ended, or are parked. */
  readonly left: number;
}

/** Calls until the last fault, and what they were for. */
export interface CountedCalls {
  readonly calls: number;
  readonly outcomes: number;
  /** Those that the other system refused, or put off. */
  readonly refused: number;
  /** What hosts had claimed when they died or froze. */
  readonly inFlightAtFaults: number;
}

export interface EffectFindings {
  /** Asked for, and without an outcome. */
  readonly lost: number;
  readonly doubled: number;
  /** Without exactly one EventAudited, or without a CommandAudited. */
  readonly unaudited: number;
  /** In a lane that is called in order: outcomes after one that was asked for later. */
  readonly outOfOrder: number;
  /** Requests with an outcome that the other system does not know. */
  readonly uncalled: number;
  /** Calls that no outcome, no refusal and no fault explains. */
  readonly unexplained: number;
  readonly left: number;
}

const nothingCounted: CountedCalls = { calls: 0, outcomes: 0, refused: 0, inFlightAtFaults: 0 };

/** Compares what was asked for with what is stored, and with the keys that the other system knows. */
export function checkEffects(
  asked: number,
  { outcomes, commandAudits, left }: StoredEffects,
  keys: number,
  { calls, outcomes: ended, refused, inFlightAtFaults }: CountedCalls = nothingCounted,
): EffectFindings {
  const distinct = new Set(outcomes.map(({ type, account, n }) => `${type} ${account} ${n}`)).size;
  return {
    lost: asked - distinct,
    doubled: outcomes.length - distinct,
    unaudited:
      outcomes.filter(({ audits }) => audits !== 1).length + Math.abs(outcomes.length - commandAudits),
    outOfOrder: disorderIn(outcomes.filter(({ type }) => type === 'Printed')),
    uncalled: Math.max(0, distinct - keys),
    unexplained: Math.max(0, calls - ended - refused - inFlightAtFaults),
    left,
  };
}

function disorderIn(outcomes: readonly StoredOutcome[]): number {
  const last = new Map<string, number>();
  return outcomes.filter(({ account, n }) => {
    const before = last.get(account) ?? -1;
    last.set(account, Math.max(before, n));
    return n < before;
  }).length;
}
