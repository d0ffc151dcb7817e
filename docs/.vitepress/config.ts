import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { defineConfig, type DefaultTheme, type MarkdownRenderer } from 'vitepress';
import { inlinePictures } from './pictures.js';

const sidebar = JSON.parse(
  await readFile(new URL('sidebar.json', import.meta.url), 'utf8'),
) as DefaultTheme.SidebarItem[];

/**
 * The home of the default theme has no landmark for its content, the words on the search button have no space, and a
 * group of the sidebar is a button with a button in it.
 */
const accessibleTheme = {
  name: 'accessible-theme',
  enforce: 'pre' as const,
  transform: (code: string, id: string) => {
    if (id.endsWith('/VPHome.vue')) return code.replace('class="VPHome"', 'role="main" class="VPHome"');
    if (id.endsWith('/VPSidebarItem.vue'))
      return code.replace(':role="itemRole"', '').replace(':tabindex="item.items && 0"', '');
    if (!id.endsWith('/VPNavBarSearchButton.vue')) return undefined;
    return code.replace(
      '<span class="DocSearch-Button-Keys">',
      `{{ ' ' }}<span class="DocSearch-Button-Keys">`,
    );
  },
};

/** The first column of a table may have no head: an empty cell is none. */
function withoutEmptyHeads(markdown: MarkdownRenderer): void {
  markdown.core.ruler.push('without-empty-heads', ({ tokens }) => {
    for (const [at, token] of tokens.entries())
      if (token.type === 'th_open' && tokens[at + 1]?.content === '')
        for (const one of [token, tokens[at + 2]]) if (one !== undefined) one.tag = 'td';
  });
}

export default defineConfig({
  title: 'svc-runtime',
  description: 'Typed commands with an audited commit into Postgres.',
  lang: 'en',
  cleanUrls: true,
  lastUpdated: false,
  // Everything else that leads nowhere fails the build.
  ignoreDeadLinks: 'localhostLinks',
  markdown: {
    theme: { light: 'github-light-high-contrast', dark: 'github-dark' },
    config: (markdown) => {
      inlinePictures(markdown);
      withoutEmptyHeads(markdown);
    },
  },
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: '/icon.svg' }]],
  vite: { plugins: [accessibleTheme] },
  themeConfig: {
    logo: '/icon.svg',
    search: {
      provider: 'local',
      options: {
        translations: { button: { buttonAriaLabel: 'Search K' } },
        // It runs in the browser: it can use nothing of this file.
        miniSearch: {
          searchOptions: {
            boostDocument: (id: string) =>
              id.startsWith('/reference/api/') ? 0.2 : /^\/(?:guides|getting-started)/.test(id) ? 2 : 1,
          },
        },
      },
    },
    outline: [2, 3],
    nav: [
      { text: 'Concepts', link: '/concepts/commands' },
      { text: 'Guides', link: '/guides/commands' },
      { text: 'Reference', link: '/reference/' },
      { text: 'Comparison', link: '/comparison' },
    ],
    sidebar,
  },
  // Programs read the Markdown: llms.txt links to it.
  async buildEnd({ outDir, pages, srcDir }) {
    for (const file of ['llms.txt', 'reference/tables.svg', ...pages])
      await cp(join(srcDir, file), join(outDir, file));
    await cp(join(srcDir, 'pictures'), join(outDir, 'pictures'), { recursive: true });
  },
});
