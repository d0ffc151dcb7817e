import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { MarkdownOptions } from 'vitepress';

type Configure = NonNullable<MarkdownOptions['config']>;

/** Puts SVG pictures into the page itself, where they follow the theme; elsewhere they remain image links. */
export const inlinePictures: Configure = (markdown) => {
  const render = markdown.renderer.rules.image;
  markdown.renderer.rules.image = (tokens, index, options, env: { path?: string }, self) => {
    const token = tokens[index];
    const source = token?.attrGet('src') ?? '';
    if (!source.endsWith('.svg') || env.path === undefined)
      return render?.(tokens, index, options, env, self) ?? '';
    const label = markdown.utils.escapeHtml(token?.content ?? '');
    const svg = readFileSync(join(dirname(env.path), source), 'utf8')
      .replace(/<style>[^]*?<\/style>/, '')
      .replace('<svg', `<svg role="img" aria-label="${label}"`);
    return `<span class="picture" style="display:block">${svg}</span>`;
  };
};
