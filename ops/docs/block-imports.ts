/** What can be imported, by module: the first ones win. */
export type Importable = readonly (readonly [module: string, names: readonly string[]])[];

/** A block without imports gets those of the names that it uses but does not declare. */
export function withImports(text: string, importable: Importable): string {
  if (/^import /m.test(text)) return text;
  const taken = new Set([...text.matchAll(declaration)].map(([, name = '']) => name));
  const lines = importable.map(([module, names]) => {
    const used = names.filter((name) => !taken.has(name) && new RegExp(`(?<![.\\w])${name}\\b`).test(text));
    for (const name of used) taken.add(name);
    return used.length === 0 ? '' : `import { ${used.join(', ')} } from '${module}';`;
  });
  return `${lines.join('')}${text}`;
}

/** The names that a source file exports. */
export function exportedNames(source: string): readonly string[] {
  const listed = [...source.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, names = '']) =>
    names.split(',').map((name) => name.replace(/^\s*(?:type )?/, '').trim()),
  );
  const declared = [
    ...source.matchAll(/^export (?:abstract |async )?(?:class|const|function|interface|type) (\w+)/gm),
  ];
  return [...listed, ...declared.map(([, name = '']) => name)].filter((name) => /^\w+$/.test(name));
}

const declaration = /\b(?:class|const|function|interface|let|type) (\w+)/g;
