import { ts } from '../compiler.js';

/** `@minimum 1` */
export interface DocTag {
  readonly name: string;
  readonly text: string;
}

/**
 * The JSDoc tags of a member, also of one on the same line as the member before it, where the compiler overlooks
 * them.
 */
export function docTagsOf(symbol: ts.Symbol, checker: ts.TypeChecker): readonly DocTag[] {
  const tags = symbol.getJsDocTags(checker);
  if (tags.length === 0) return (symbol.declarations ?? []).flatMap(inlineTags);
  return tags.map(({ name, text }) => ({ name, text: ts.displayPartsToString(text).trim() }));
}

function inlineTags(declaration: ts.Declaration): readonly DocTag[] {
  const { text } = declaration.getSourceFile();
  const before = text.slice(declaration.pos, declaration.getStart());
  // A comment at the end of a line belongs to what is before it.
  const comment = /\/\*\*(?:(?!\*\/)[^])*\*\/[ \t]*$/.exec(before)?.[0];
  return comment === undefined ? [] : tagsIn(comment);
}

function tagsIn(comment: string): readonly DocTag[] {
  const { statements } = ts.createSourceFile('doc.ts', `${comment}\nlet it;`, ts.ScriptTarget.Latest, true);
  return statements.flatMap((statement) =>
    ts.getJSDocTags(statement).map((tag) => ({
      name: tag.tagName.text,
      text: (ts.getTextOfJSDocComment(tag.comment) ?? '').trim(),
    })),
  );
}
