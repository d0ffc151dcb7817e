import { watch } from 'node:fs';

/** Calls back once per burst of changes to sources, never for what is generated. Returns how to stop. */
export function watchSources(root: string, changed: () => void): () => void {
  let timer: NodeJS.Timeout | undefined;
  const watcher = watch(root, { recursive: true }, (_, name) => {
    if (name === null || !isSource(name)) return;
    clearTimeout(timer);
    timer = setTimeout(changed, 15);
  });
  return () => {
    clearTimeout(timer);
    watcher.close();
  };
}

const isSource = (name: string): boolean =>
  /\.[cm]?ts$/.test(name) && !/(?:^|[\\/])(?:generated|node_modules|dist)[\\/]/.test(name);
