import type { ts } from '../compiler.js';
import type { Diagnostics } from '../diagnostics.js';
import type { DocTag } from './doc-tags.js';

/** The tags of JSDoc and TSDoc. */
const documentation = new Set(
  `alpha author beta default defaultValue deprecated description example experimental inheritDoc internal link
  override privateRemarks private protected public readonly remarks see since summary throws todo type version virtual`
    .trim()
    .split(/\s+/),
);

/** Authors would rely on a misspelled limit that nothing checks. */
export function refuseUnknownTags(
  tags: readonly DocTag[],
  known: readonly string[],
  node: ts.Node,
  diagnostics: Diagnostics,
): void {
  for (const { name } of tags) {
    if (documentation.has(name) || known.includes(name)) continue;
    const meant = known.find((tag) => tag.toLowerCase().startsWith(name.toLowerCase()));
    const hint =
      meant === undefined ? `use ${known.map((tag) => `@${tag}`).join(', ')}` : `did you mean @${meant}?`;
    diagnostics.error('SVC1020', node, `@${name} is not a known tag; ${hint}`);
  }
}
