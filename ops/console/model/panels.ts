/** The panels of the console in their groups, by the name that the URL has. */
const groups = [
  ['Traffic', { requests: 'Requests', map: 'Map', api: 'API' }],
  ['Data', { stream: 'Streams', system: 'System stream', perspectives: 'Perspectives' }],
  [
    'Work',
    {
      processes: 'Processes',
      reactions: 'Reactions',
      effects: 'Effects',
      approvals: 'Approvals',
      stuck: 'Stuck',
      outbox: 'Outbox',
    },
  ],
  [
    'Host',
    {
      overview: 'Hosts',
      health: 'Health',
      actors: 'Actors',
      machines: 'Machines',
      flags: 'Flags',
      deployments: 'Deployments',
    },
  ],
] as const;

type KeysOf<T> = T extends unknown ? keyof T : never;
export type PanelName = KeysOf<(typeof groups)[number][1]>;

export interface Panel {
  readonly name: PanelName;
  readonly title: string;
}

interface PanelGroup {
  readonly title: string;
  readonly panels: readonly Panel[];
}

const allGroups: readonly PanelGroup[] = groups.map(([title, panels]) => ({
  title,
  panels: Object.entries(panels).map(([name, text]) => ({ name: name as PanelName, title: text })),
}));

/** Those that only some hosts have. */
const special: readonly string[] = ['overview', 'approvals'];

/** The panels of every host, and this one. */
export const panelsAnd = (more: PanelName): readonly string[] =>
  allGroups.flatMap(({ panels }) =>
    panels.flatMap(({ name }) => (name === more || !special.includes(name) ? [name] : [])),
  );

/** The groups with the panels that a host offers; without a list, those of every host. */
export const groupsOf = (offered: readonly string[] | undefined): readonly PanelGroup[] =>
  allGroups
    .map(({ title, panels }) => ({
      title,
      panels: panels.filter(({ name }) => offered?.includes(name) ?? !special.includes(name)),
    }))
    .filter(({ panels }) => panels.length > 0);

export const isPanel = (name: string): boolean =>
  allGroups.some(({ panels }) => panels.some((panel) => panel.name === name));

/** What is shown first: where there are several hosts, these. */
export function firstPanel(offered: readonly PanelGroup[]): PanelName {
  const panels = offered.flatMap((group) => group.panels);
  return (panels.find(({ name }) => name === 'overview') ?? panels[0])?.name ?? 'requests';
}
