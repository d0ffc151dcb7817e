/** A phrase that makes a reader stumble, and what to write. */
interface Phrase {
  readonly pattern: RegExp;
  readonly write: string;
}

/** Refused everywhere, in comments too. */
export const worstPhrases: readonly Phrase[] = [
  {
    pattern: /\b(?:stands?|stood) (?:in|as|beside|behind|aside|at|there|before|below|open)\b/i,
    write: 'is in, appears in, is set aside',
  },
  { pattern: /\bholds that\b/i, write: 'enforces this' },
  { pattern: /\b(?:go|goes|going|gone|went) on\b/i, write: 'continues' },
  { pattern: /\b(?:believe|believes|believed|believing)\b/i, write: 'trusts, accepts' },
  { pattern: /\b(?:is|are|was|were) (?:not )?to be had\b/i, write: 'is available' },
];

/** Refused in pages, help texts, problems and diagnostics. */
export const phrases: readonly Phrase[] = [
  ...worstPhrases,
  { pattern: /\b(?:stands?|stood) (?:for|still)\b/i, write: 'represents, is; hangs' },
  {
    pattern: /(?<!\b(?:there|it|that|what)) (?:is|are|was|were) no (?!longer|more|less|better)\b/i,
    write: 'is not a',
  },
  { pattern: /\b(?:is|are) asked (?:first|about)\b/i, write: 'is checked first' },
  { pattern: /(?:^|[.;] )Who (?!is|may|can|are|has|does|did)[^?.]*\.(?:\s|$)/, write: 'Anyone who' },
  { pattern: /\bmend(?:s|ed|ing)?\b/i, write: 'correct, repair' },
  { pattern: /\bturned round\b/i, write: 'swapped' },
  { pattern: /\bof a store whose\b/i, write: 'if the key of a store' },
  { pattern: /(?<!\b(?:there|that)) (?:is|are) none(?! of)\b/i, write: 'is not one' },
  { pattern: /\bend(?:s)? again and again\b/i, write: 'keeps crashing' },
  { pattern: /\bsays? how to follow\b/i, write: 'explains how to migrate' },
  { pattern: /\bcost(?:s)? as those of\b/i, write: 'costs no more than' },
  { pattern: /\bare never a crowd\b/i, write: 'are always served' },
  { pattern: /\bby its head alone\b/i, write: 'if the headers suffice' },
];

/** What `refused` finds in a text, each with a better wording. */
export const refusedIn = (text: string, refused: readonly Phrase[]): readonly string[] =>
  refused.flatMap(({ pattern, write }) => {
    const found = pattern.exec(text);
    return found === null ? [] : [`'${found[0].trim()}': write '${write}'`];
  });

/** The prose of a page: without front matter marks, blocks of code, code in a line, and comments. */
export const proseOf = (page: string): string =>
  page
    .replaceAll(/^( *)```[^]*?^\1```$/gm, '')
    .replaceAll(/<!--[^]*?-->/g, '')
    .replaceAll(/`[^`]*`/g, '`…`');

const shown = /\b(?:detail|title|summary|usage|help|text)(?::| =)\s*(`[^`]*`|'[^'\n]*'|"[^"\n]*")/g;

/** The texts in a source that users read: help, titles and details of problems. */
export const shownTextsIn = (source: string): readonly string[] =>
  [...source.matchAll(shown)].map(([, text = '']) => text.slice(1, -1));

/** The lines of a source that are comments, or end with one. */
export const commentsIn = (source: string): readonly string[] =>
  source.split('\n').flatMap((line) => /(?:^|\s)(?:\/\/|\/?\*\*?) (.+)$/.exec(line)?.[1] ?? []);
