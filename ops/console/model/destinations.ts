import { isUuid } from '../../../contracts/scalars.js';
import type { Panel, PanelName } from './panels.js';

/** Where a text that was typed may lead. */
export interface Destination {
  readonly title: string;
  readonly panel: PanelName;
  /** What is opened there. */
  readonly open?: string;
  readonly filter?: Readonly<Record<string, string>>;
}

interface Known {
  readonly panels: readonly Panel[];
  readonly perspectives: readonly string[];
}

/** Panels and perspectives whose names contain the text, then what may have it as an id or as words. */
export function destinationsFor(typed: string, { panels, perspectives }: Known): readonly Destination[] {
  const text = typed.trim();
  const wanted = text.toLowerCase();
  const named = [
    ...panels.map(({ name, title }): Destination => ({ title, panel: name })),
    ...perspectives.map((name): Destination => ({
      title: `Rows of ${name}`,
      panel: 'perspectives',
      open: name,
    })),
  ].filter(({ title }) => title.toLowerCase().includes(wanted));
  const searched = text === '' ? [] : isUuid(text) ? byId(text) : byWords(text);
  return [...named, ...searched].filter(({ panel }) => panels.some(({ name }) => name === panel));
}

const byId = (id: string): readonly Destination[] => [
  { title: `Request ${id}`, panel: 'requests', filter: { q: id } },
  { title: `Stream ${id}`, panel: 'stream', open: id },
  { title: `Records with correlation id ${id}`, panel: 'system', filter: { correlation: id } },
];

const byWords = (text: string): readonly Destination[] => [
  { title: `Requests with '${text}'`, panel: 'requests', filter: { q: text } },
  { title: `Records of type '${text}'`, panel: 'system', filter: { type: text } },
];
