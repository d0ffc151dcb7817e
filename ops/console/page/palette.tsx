import { signal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { type Destination, destinationsFor } from '../model/destinations.js';
import { closeDialog, Modal } from './parts/dialog.js';
import { perspectives } from './parts/live-state.js';
import { chosenHost, linkTo, offeredPanels } from './parts/navigation.js';

export const isPaletteOpen = signal(false);

const mostShown = 20;

/** Leads to a panel, or to what has an id, by typing. */
export function Palette() {
  if (!isPaletteOpen.value) return null;
  return (
    <Modal label="Go to" closed={() => (isPaletteOpen.value = false)} className="palette">
      <Search />
    </Modal>
  );
}

function Search() {
  const [text, setText] = useState('');
  const known = {
    panels: offeredPanels.value,
    perspectives: (perspectives.value ?? []).map(({ name }) => name),
  };
  const found = destinationsFor(text, known).slice(0, mostShown);
  const open = (event: SubmitEvent) => {
    event.preventDefault();
    const [first] = found;
    if (first === undefined) return;
    location.hash = addressOf(first);
    closeDialog();
  };
  return (
    <form onSubmit={open} onKeyDown={moveFocus}>
      <input
        type="search"
        placeholder="Panel, perspective, id or word"
        aria-label="Go to a panel, perspective, id or word"
        autocomplete="off"
        autofocus
        maxLength={200}
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <ul>
        {found.map((one) => (
          <li key={one.title}>
            <a href={addressOf(one)} onClick={closeDialog}>
              {one.title}
            </a>
          </li>
        ))}
      </ul>
    </form>
  );
}

const addressOf = ({ panel, open = '', filter = {} }: Destination): string =>
  linkTo(panel, open, chosenHost.value, filter);

function moveFocus(event: KeyboardEvent): void {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (by === undefined) return;
  event.preventDefault();
  const all = [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>('input, a')];
  all[all.indexOf(document.activeElement as HTMLElement) + by]?.focus();
}
