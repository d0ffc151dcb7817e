import { computed, signal } from '@preact/signals';
import { hashAtStart } from './session.js';

const panels = [
  ['overview', 'Hosts'],
  ['lifecycle', 'Lifecycle'],
  ['system', 'System stream'],
  ['perspectives', 'Perspectives'],
  ['outbox', 'Outbox'],
  ['actors', 'Actors'],
  ['health', 'Health'],
  ['flags', 'Flags'],
  ['api', 'API'],
] as const;

export type PanelName = (typeof panels)[number][0];

/** The user's location: a panel, what is open in it, and its host; all of it is in the URL. */
const hash = signal(hashAtStart);
addEventListener('hashchange', () => {
  hash.value = location.hash;
});

const parts = computed(() => {
  const [path = '', search = ''] = hash.value.replace(/^#\/?/, '').split('?');
  const [panel = '', open = ''] = path.split('/').map(decodeURIComponent);
  const query = new URLSearchParams(search);
  return { panel, open, query, host: query.get('host') || undefined };
});

/** The panels that the host offers, once it has reported them. */
export const hostPanels = signal<readonly string[] | undefined>(undefined);

export const offeredPanels = computed(() =>
  panels.filter(([name]) => hostPanels.value?.includes(name) ?? name !== 'overview'),
);

export const currentPanel = computed<PanelName>(() => {
  const all = offeredPanels.value;
  return (all.find(([name]) => name === parts.value.panel) ?? all[0])?.[0] ?? 'lifecycle';
});

/** The id or position of what is open; empty if nothing is. */
export const openItem = computed(() => parts.value.open);

/** Undefined: all hosts combined, or the host that serves the page. */
export const chosenHost = computed(() => parts.value.host);

/** The filters of the current panel by name, from the URL: a link to what is found can be shared. */
export const filters = computed<Readonly<Record<string, string>>>(() =>
  Object.fromEntries([...parts.value.query].filter(([name, value]) => name !== 'host' && value !== '')),
);

export function linkTo(
  name: PanelName,
  what = '',
  host = chosenHost.value,
  filter: Readonly<Record<string, string>> = name === currentPanel.value ? filters.value : {},
): string {
  const path = what === '' ? name : `${name}/${encodeURIComponent(what)}`;
  const query = new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== ''));
  if (host !== undefined && host !== '') query.set('host', host);
  const search = query.toString();
  return `#/${path}${search === '' ? '' : `?${search}`}`;
}

/** Filters the current panel; what is typed makes no history. */
export function setFilters(filter: Readonly<Record<string, string>>): void {
  const next = linkTo(currentPanel.value, openItem.value, chosenHost.value, filter);
  history.replaceState(null, '', next);
  hash.value = next;
}

export function navigate(name: PanelName, what = '', host = chosenHost.value): void {
  location.hash = linkTo(name, what, host);
}
