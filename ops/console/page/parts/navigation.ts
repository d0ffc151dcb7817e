import { computed, signal } from '@preact/signals';
import { firstPanel, groupsOf, isPanel, type PanelName } from '../../model/panels.js';
import { hashAtStart } from './session.js';

/** The user's location: a panel, what is open in it, and its host; all of it is in the URL. */
const hash = signal(hashAtStart);
addEventListener('hashchange', () => {
  hash.value = location.hash;
});

const parts = computed(() => {
  const [path = '', search = ''] = hash.value.replace(/^#\/?/, '').split('?');
  const [panel = '', open = '', at = ''] = path.split('/').map(decoded);
  const query = new URLSearchParams(search);
  return { panel, open, at, query, host: query.get('host') || undefined };
});

/** A link that was cut or written by hand may not be encoded. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The panels that the host offers, once it has reported them. */
export const hostPanels = signal<readonly string[] | undefined>(undefined);

export const offeredGroups = computed(() => groupsOf(hostPanels.value));

export const offeredPanels = computed(() => offeredGroups.value.flatMap(({ panels }) => panels));

export const isOffered = (wanted: PanelName): boolean =>
  offeredPanels.value.some(({ name }) => name === wanted);

export const currentPanel = computed<PanelName>(
  () =>
    offeredPanels.value.find(({ name }) => name === parts.value.panel)?.name ??
    firstPanel(offeredGroups.value),
);

export const currentGroup = computed(() =>
  offeredGroups.value.find(({ panels }) => panels.some(({ name }) => name === currentPanel.value)),
);

/** The panel of the URL, if there is none of that name. */
export const unknownPanel = computed(() =>
  parts.value.panel === '' || isPanel(parts.value.panel) ? undefined : parts.value.panel,
);

/** Whether the URL names the panel that is shown: what it opens belongs to that panel alone. */
const isNamed = computed(() => parts.value.panel === currentPanel.value);

/** The id or position of what is open; empty if nothing is. */
export const openItem = computed(() => (isNamed.value ? parts.value.open : ''));

/** A position or key within what is open; empty if there is none. */
export const openPosition = computed(() => (isNamed.value ? parts.value.at : ''));

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
  at = '',
): string {
  const path = [name, what, at]
    .filter((part) => part !== '')
    .map(encodeURIComponent)
    .join('/');
  const query = new URLSearchParams(Object.entries(filter).filter(([, value]) => value !== ''));
  if (host !== undefined && host !== '') query.set('host', host);
  const search = query.toString();
  return `#/${path}${search === '' ? '' : `?${search}`}`;
}

/** Opens a stream, at a position if one is given. */
export const linkToStream = (streamId: string, position: number | '' = ''): string =>
  linkTo('stream', streamId, chosenHost.value, {}, String(position));

/** Opens an instance of a process. */
export const linkToInstance = (name: string, key: string): string =>
  linkTo('processes', name, chosenHost.value, {}, key);

/** Opens what is stuck of a follower. */
export const linkToStuck = (follower: string): string => linkTo('stuck', '', chosenHost.value, { follower });

/** Filters the current panel; what is typed makes no history. */
export function setFilters(filter: Readonly<Record<string, string>>): void {
  const next = linkTo(currentPanel.value, openItem.value, chosenHost.value, filter, openPosition.value);
  history.replaceState(null, '', next);
  hash.value = next;
}

export function navigate(name: PanelName, what = '', host = chosenHost.value): void {
  location.hash = linkTo(name, what, host);
}
