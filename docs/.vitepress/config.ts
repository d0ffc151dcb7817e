import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { defineConfig, type DefaultTheme } from 'vitepress';
import { inlinePictures } from './pictures.js';

const sidebar = JSON.parse(
  await readFile(new URL('sidebar.json', import.meta.url), 'utf8'),
) as DefaultTheme.SidebarItem[];

/** The home of the default theme has no landmark for its content. */
const mainOfHome = {
  name: 'main-of-home',
  enforce: 'pre' as const,
  transform: (code: string, id: string) =>
    id.endsWith('/VPHome.vue') ? code.replace('class="VPHome"', 'role="main" class="VPHome"') : undefined,
};

export default defineConfig({
  title: 'svc-runtime',
  description: 'Typed commands with an audited commit into Postgres.',
  lang: 'en',
  cleanUrls: true,
  lastUpdated: false,
  // Everything else that leads nowhere fails the build.
  ignoreDeadLinks: 'localhostLinks',
  markdown: { config: inlinePictures },
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: '/icon.svg' }]],
  vite: { plugins: [mainOfHome] },
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
