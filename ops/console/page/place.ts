import { computed, signal } from '@preact/signals';

/** Where the reader is: a panel, what is open in it, and the host it is about; all of it in the address. */
export const panels = [
  ['lifecycle', 'Lifecycle'],
  ['system', 'System stream'],
  ['perspectives', 'Perspectives'],
  ['outbox', 'Outbox'],
  ['actors', 'Actors'],
  ['health', 'Health'],
  ['api', 'API'],
] as const;

export type PanelName = (typeof panels)[number][0];

const hash = signal(location.hash);
addEventListener('hashchange', () => {
  hash.value = location.hash;
});

const parts = computed(() => {
  const [path = '', search = ''] = hash.value.replace(/^#\/?/, '').split('?');
  const [panel = '', open = ''] = path.split('/').map(decodeURIComponent);
  return { panel, open, host: new URLSearchParams(search).get('host') ?? undefined };
});

export const panel = computed<PanelName>(
  () => panels.find(([name]) => name === parts.value.panel)?.[0] ?? 'lifecycle',
);

/** The id or position of what is looked at; empty when nothing is. */
export const open = computed(() => parts.value.open);

/** Undefined: the one that serves the page. */
export const chosenHost = computed(() => parts.value.host);

export function addressOf(name: PanelName, what = '', host = chosenHost.value): string {
  const path = what === '' ? name : `${name}/${encodeURIComponent(what)}`;
  return `#/${path}${host === undefined ? '' : `?host=${encodeURIComponent(host)}`}`;
}

export function go(name: PanelName, what = '', host = chosenHost.value): void {
  location.hash = addressOf(name, what, host);
}
