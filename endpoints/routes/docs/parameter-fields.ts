import { type Parameter, resolve } from './openapi-document.js';
import { el } from './element.js';

/** Form fields for URL parameters, and the URL they make. */
interface ParameterFields {
  readonly rows: readonly HTMLElement[];
  readonly url: () => URL;
}

interface Field {
  readonly name: string;
  readonly isInPath: boolean;
  readonly input: HTMLInputElement;
}

export function parameterFields(path: string, parameters: readonly Parameter[]): ParameterFields {
  const fields = parameters.flatMap(fieldsOf);
  return {
    rows: fields.map(({ input }) => el('p', { class: 'row' }, input)),
    url: () => {
      const named = fields.filter(({ isInPath, input }) => isInPath && input.value !== '');
      const filled = named.reduce(
        (at, { name, input }) => at.replace(`{${name}}`, () => encodeURIComponent(input.value)),
        path,
      );
      const url = new URL(filled.slice(1), location.href);
      for (const { name, isInPath, input } of fields)
        if (!isInPath && input.value !== '') url.searchParams.set(name, input.value);
      return url;
    },
  };
}

function fieldsOf({ name, in: location, required, schema }: Parameter): Field[] {
  const { properties } = resolve(schema);
  const names = properties === undefined ? [name] : Object.keys(properties).map((key) => `${name}[${key}]`);
  return names.map((each) => ({
    name: each,
    isInPath: location === 'path',
    input: el('input', {
      'aria-label': each,
      placeholder: each,
      required,
      autocomplete: 'off',
      spellcheck: 'false',
    }),
  }));
}
