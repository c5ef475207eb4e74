import { dirname, join, relative } from 'node:path/posix';

/** The places of the repository's files in the site. */
export interface Places {
  /** Pages, by their path in the repository: `docs/setup.md` is `setup.md`, `SECURITY.md` is `security.md`. */
  readonly pages: ReadonlyMap<string, string>;
  /** The first heading of each page, by its path in the repository. */
  readonly titles: ReadonlyMap<string, string>;
  /** Files that are served as they are, by their path in the repository. */
  readonly files: ReadonlyMap<string, string>;
  /** The address of all other files, such as `https://github.com/OWNER/NAME/blob/main`; undefined: nowhere. */
  readonly source: string | undefined;
  /** Whether the repository has it. */
  readonly isThere: (path: string) => boolean;
}

/**
 * The text of a page, with its links as they go in the site: a link that is called as its file is called as its page there, and
 * what stands in no page there stays without a link. @throws for one that is dead
 */
export function linked(
  page: string,
  text: string,
  { pages, titles, files, source, isThere }: Places,
): string {
  const here = pages.get(page) ?? page;
  const ofLine = (line: string) =>
    line.replace(
      /(!?)\[((?:[^\][]|\[[^\]]*\])*)\]\(([^)\s]+)\)/g,
      (whole, image: string, written: string, link: string) => {
        if (/^(?:[a-z]+:|#)/.test(link)) return whole;
        const [path = '', anchor] = link.split('#');
        const target = join(dirname(page), path).replace(/\/$/, '');
        const words = /^[\w./-]+\.md$/.test(written) ? (titles.get(target) ?? written) : written;
        const to = (place: string) =>
          `${image}[${words}](${place}${anchor === undefined ? '' : `#${anchor}`})`;
        const staged = pages.get(target);
        if (staged !== undefined) return to(`./${relative(dirname(here), staged)}`);
        const file = files.get(target);
        if (file !== undefined) return to(image === '' ? `/${file}` : `./${relative(dirname(here), file)}`);
        if (!isThere(target)) throw new Error(`${page} has a dead link: ${link}`);
        return source === undefined ? words : to(`${source}/${target}`);
      },
    );
  let isCode = false;
  return text
    .split('\n')
    .map((line) => {
      if (/^ *```/.test(line)) isCode = !isCode;
      return isCode ? line : ofLine(line);
    })
    .join('\n');
}
