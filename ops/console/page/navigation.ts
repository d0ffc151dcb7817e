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
  return { panel, open, host: new URLSearchParams(search).get('host') || undefined };
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

export function linkTo(name: PanelName, what = '', host = chosenHost.value): string {
  const path = what === '' ? name : `${name}/${encodeURIComponent(what)}`;
  return `#/${path}${host === undefined || host === '' ? '' : `?host=${encodeURIComponent(host)}`}`;
}

export function navigate(name: PanelName, what = '', host = chosenHost.value): void {
  location.hash = linkTo(name, what, host);
}
