import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';

interface Section {
  readonly page: string;
  readonly heading: string;
  readonly text: string;
}

const mostSections = 8;
const mostWords = 20;

/** The sections of the documentation with the most of these words, each as a whole; those that name them come first. */
export function searchPages(text: string, pages: string = pagesText()): readonly Section[] {
  const words = [...new Set(text.toLowerCase().match(/[\w-]+/g) ?? [])].slice(0, mostWords);
  return sectionsOf(pages)
    .map((section) => ({ section, score: scoreOf(section, words) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, mostSections)
    .map(({ section }) => section);
}

function scoreOf({ heading, text }: Section, words: readonly string[]): number {
  const [title, body] = [heading.toLowerCase(), text.toLowerCase()];
  let score = 0;
  for (const word of words) {
    if (title.includes(word)) score += 3;
    if (body.includes(word)) score += 2;
  }
  return score;
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
