import { signal } from '@preact/signals';
import { firstPanel } from '../model/panels.js';
import { Modal } from './parts/dialog.js';
import { currentPanel, navigate, offeredGroups } from './parts/navigation.js';
import { isPaletteOpen } from './palette.js';

const areKeysShown = signal(false);

const keys = (): readonly (readonly [key: string, does: string])[] => [
  ['Ctrl K', 'go to a panel, perspective, id or word'],
  ...offeredGroups.value.map(({ title }, index) => [String(index + 1), title] as const),
  ['/', 'search in the panel'],
  ['↑ ↓', 'the next request'],
  ['← →', 'the next event of a stream'],
  ['Esc', 'close what is open'],
  ['?', 'these keys'],
];

/** What the keys do. */
export function Keys() {
  if (!areKeysShown.value) return null;
  return (
    <Modal label="Keys" closed={() => (areKeysShown.value = false)}>
      <h2>Keys</h2>
      <dl class="facts">
        {keys().map(([key, does]) => (
          <>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{does}</dd>
          </>
        ))}
      </dl>
    </Modal>
  );
}

export function onKey(event: KeyboardEvent): void {
  const { target, key, ctrlKey, metaKey, altKey } = event;
  if (document.querySelector('dialog[open]') !== null) return;
  if ((ctrlKey || metaKey) && key === 'k') {
    event.preventDefault();
    isPaletteOpen.value = true;
  }
  if (ctrlKey || metaKey || altKey) return;
  if (target instanceof HTMLInputElement || target instanceof HTMLSelectElement) {
    if (key === 'Escape') target.blur();
    return;
  }
  const group = /^[1-9]$/.test(key) ? offeredGroups.value[Number(key) - 1] : undefined;
  if (group !== undefined) navigate(firstPanel([group]));
  else if (key === 'Escape') navigate(currentPanel.value);
  else if (key === '?') areKeysShown.value = true;
  else if (key === '/') {
    event.preventDefault();
    document.querySelector<HTMLInputElement>('main input')?.focus();
  }
}
