import { globSync } from 'node:fs';
import { defineConfig } from 'vitepress';
import { anchorOf } from '../anchors.ts';
import { sidebarOf } from '../navigation.ts';
import { withSaid } from '../said.ts';
import { searchOptions } from '../search.ts';

const pages = globSync('**/*.md', { cwd: new URL('../pages/', import.meta.url) }).map((page) =>
  page.replace(/\.md$/, ''),
);
const sidebar = sidebarOf(pages);

export default defineConfig({
  title: 'Appliance Bot',
  description: 'Slack chat-ops for filtering network appliances',
  lang: 'en-US',
  // None: browsers ask for one of their own accord.
  head: [['link', { rel: 'icon', href: 'data:,' }]],
  // Such as /appliance-bot/, where the site is not alone on its host.
  base: process.env.SITE_BASE ?? '/',
  srcDir: './pages',
  outDir: './dist',
  cacheDir: './.cache',
  cleanUrls: true,
  // Files that are served as they are, and local addresses that a reader has only after following the page.
  ignoreDeadLinks: [/^http:\/\/(?:127\.0\.0\.1|localhost)/, /\.(?:yml|json)$/],
  markdown: {
    anchor: { slugify: anchorOf },
    // Draws the diagrams that GitHub draws: theme/diagram.ts.
    config: ({ renderer, utils }) => {
      const fence = renderer.rules.fence;
      renderer.rules.fence = (tokens, index, ...others) => {
        const { info, content } = tokens[index] ?? {};
        if (info === 'mermaid') return `<MermaidDiagram text="${utils.escapeHtml(content ?? '')}" />`;
        return fence?.(tokens, index, ...others) ?? '';
      };
    },
  },
  themeConfig: {
    sidebar,
    outline: [2, 3],
    search: {
      provider: 'local',
      options: {
        miniSearch: { searchOptions },
        _render: (source, env, markdown) =>
          markdown.render(env.relativePath === 'commands.md' ? withSaid(source) : source, env),
      },
    },
  },
});
