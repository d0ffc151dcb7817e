import type { Source } from './source.js';

/** Exports that no other file imports; those of an index.ts are for users of the package. */
export function unusedExports(sources: readonly Source[]): readonly string[] {
  const used = new Set(
    sources.flatMap(({ imports }) =>
      imports.flatMap(({ file, names }) => names.map((name) => `${file} ${name}`)),
    ),
  );
  return sources.flatMap(({ path, file, exports }) =>
    /(?:^|\/)index\.ts$/.test(path) || used.has(`${file} *`)
      ? []
      : exports.filter((name) => !used.has(`${file} ${name}`)).map((name) => `${path} ${name}`),
  );
}
