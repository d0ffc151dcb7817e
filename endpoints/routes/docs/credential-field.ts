import type { Operation } from './openapi-document.js';
import { el } from './element.js';

interface CredentialField {
  readonly rows: readonly HTMLElement[];
  read(): Readonly<Record<string, string>>;
}

/** Kept while the page is open, and nowhere else. */
let kept = '';

/** A field for the credential of an operation that needs one. */
export function credentialField({ security = [] }: Operation): CredentialField {
  if (security.length === 0) return { rows: [], read: () => ({}) };
  const input = el('input', {
    type: 'password',
    'aria-label': 'Token or API key',
    placeholder: 'Token or API key, when the host authenticates',
    autocomplete: 'off',
    oninput: () => {
      kept = input.value.trim();
    },
  });
  input.value = kept;
  return {
    rows: [el('p', { class: 'row' }, input)],
    read: (): Readonly<Record<string, string>> => (kept === '' ? {} : { Authorization: `Bearer ${kept}` }),
  };
}
