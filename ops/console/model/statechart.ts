/** A machine in its own JSON format. */
export interface StateDefinition {
  readonly id: string;
  readonly key: string;
  readonly type: string;
  readonly description?: string;
  readonly initial?: { readonly target?: readonly string[] };
  readonly states?: Readonly<Record<string, StateDefinition>>;
  readonly transitions?: readonly TransitionDefinition[];
}

interface TransitionDefinition {
  readonly eventType: string | null;
  readonly source: string;
  readonly target?: readonly string[] | undefined;
  readonly guard?: string | { readonly type?: string } | undefined;
}

export interface ChartState {
  readonly id: string;
  readonly key: string;
  readonly final: boolean;
  readonly initial: boolean;
  readonly description: string | undefined;
  readonly children: readonly ChartState[];
}

export interface ChartEdge {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly event: string;
  readonly guard: string | undefined;
}

export interface Chart {
  readonly states: readonly ChartState[];
  readonly edges: readonly ChartEdge[];
}

/** The parts of a machine to draw: its states, and each transition once. */
export function chartOf(machine: StateDefinition): Chart {
  const edges = new Map<string, ChartEdge>();
  collect(machine, (transition) => {
    for (const target of transition.target ?? []) {
      const edge = edgeOf(transition, target);
      if (!edges.has(edge.id)) edges.set(edge.id, edge);
    }
  });
  return { states: childrenOf(machine), edges: [...edges.values()] };
}

function childrenOf({ states = {}, initial }: StateDefinition): ChartState[] {
  const first = initial?.target?.map(bare) ?? [];
  return Object.values(states).map((state) => ({
    id: state.id,
    key: state.key,
    final: state.type === 'final',
    initial: first.includes(state.id),
    description: state.description,
    children: childrenOf(state),
  }));
}

function collect(state: StateDefinition, take: (transition: TransitionDefinition) => void): void {
  for (const child of Object.values(state.states ?? {})) {
    for (const transition of child.transitions ?? []) take(transition);
    collect(child, take);
  }
}

function edgeOf({ eventType, source, guard }: TransitionDefinition, target: string): ChartEdge {
  const from = bare(source);
  const to = bare(target);
  const event = eventType ?? '';
  const named = typeof guard === 'string' ? guard : guard?.type;
  return { id: `${from} ${event} ${to}`, from, to, event, guard: named };
}

const bare = (id: string): string => id.replace(/^#/, '');
