import { effect, signal } from '@preact/signals';
import { KeptText } from '../model/kept-text.js';

type Theme = 'light' | 'dark';

const system = matchMedia('(prefers-color-scheme: dark)');
const themeNow = (): Theme => (system.matches ? 'dark' : 'light');
const kept = new KeptText('svc-console-theme', () => localStorage);

const stored = (): Theme | undefined => {
  const text = kept.read();
  return text === 'light' || text === 'dark' ? text : undefined;
};

export const theme = signal<Theme>(stored() ?? themeNow());

system.addEventListener('change', () => {
  if (stored() === undefined) theme.value = themeNow();
});

effect(() => {
  document.documentElement.dataset['theme'] = theme.value;
});

export function toggleTheme(): void {
  theme.value = theme.value === 'dark' ? 'light' : 'dark';
  kept.keep(theme.value);
}
