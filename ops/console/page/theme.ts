import { effect, signal } from '@preact/signals';

type Theme = 'light' | 'dark';

const system = matchMedia('(prefers-color-scheme: dark)');
const themeNow = (): Theme => (system.matches ? 'dark' : 'light');
const key = 'svc-console-theme';

const stored = (): Theme | undefined => {
  const text = localStorage.getItem(key);
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
  localStorage.setItem(key, theme.value);
}
