import { readFileSync } from 'node:fs';
import { SourceMap, type SourceMapPayload } from 'node:module';
import { fileURLToPath } from 'node:url';

const maps = new Map<string, SourceMap | undefined>();

/** A text whose stacks name our sources. Node would read the map of every module, a seventh of what unit tests take. */
export const withSourcePlaces = (text: string): string =>
  text.replaceAll(
    /(file:\/\/[^\s()]+\.js):(\d+):(\d+)/g,
    (place, script: string, line: string, column: string) =>
      sourcePlace(script, Number(line), Number(column)) ?? place,
  );

function sourcePlace(script: string, line: number, column: number): string | undefined {
  const entry = mapOf(script)?.findEntry(line - 1, column - 1);
  if (entry === undefined || !('originalSource' in entry)) return undefined;
  const source = fileURLToPath(new URL(entry.originalSource, script));
  return `${source}:${entry.originalLine + 1}:${entry.originalColumn + 1}`;
}

function mapOf(script: string): SourceMap | undefined {
  if (!maps.has(script)) maps.set(script, readMap(script));
  return maps.get(script);
}

function readMap(script: string): SourceMap | undefined {
  try {
    return new SourceMap(JSON.parse(readFileSync(new URL(`${script}.map`), 'utf8')) as SourceMapPayload);
  } catch {
    return undefined;
  }
}
