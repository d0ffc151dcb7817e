import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';

interface Section {
  readonly page: string;
  readonly heading: string;
  readonly text: string;
}

const mostSections = 8;
const mostWords = 20;

/** The sections of the documentation that have these words, each as a whole; rare words count more, and those in a heading. */
export function searchPages(text: string, pages: string = pagesText()): readonly Section[] {
  const words = [...new Set(text.toLowerCase().match(/[\w-]+/g) ?? [])].slice(0, mostWords);
  const sections = sectionsOf(pages);
  const scores = new Map<Section, number>();
  for (const word of words) {
    const found = sections.filter((section) => section.text.toLowerCase().includes(word));
    const weight = Math.log((sections.length + 1) / found.length);
    for (const section of found) {
      const times = section.heading.toLowerCase().includes(word) ? 3 : 1;
      scores.set(section, (scores.get(section) ?? 0) + weight * times);
    }
  }
  return [...scores.keys()]
    .toSorted((one, other) => (scores.get(other) ?? 0) - (scores.get(one) ?? 0))
    .slice(0, mostSections);
}

function sectionsOf(pages: string): readonly Section[] {
  const sections: Section[] = [];
  for (const page of pages.split('\f').slice(1)) {
    const end = page.indexOf('\n');
    for (const text of page.slice(end + 1).split(/^(?=## )/m)) {
      const heading = /^##? (.*)/m.exec(text)?.[1];
      if (heading !== undefined) sections.push({ page: page.slice(0, end), heading, text: text.trim() });
    }
  }
  return sections;
}

let kept: string | undefined;

/** Written by the build of the package. */
const pagesText = (): string =>
  (kept ??= brotliDecompressSync(
    readFileSync(new URL('../../../dist/docs.txt.br', import.meta.url)),
  ).toString());
