import { dirname, join, relative } from 'node:path/posix';

/** Where something of the repository stands in the site. */
export interface Places {
  /** Pages, by their path in the repository: `docs/setup.md` is `setup.md`, `SECURITY.md` is `security.md`. */
  readonly pages: ReadonlyMap<string, string>;
  /** Files that are served as they are, by their path in the repository. */
  readonly files: ReadonlyMap<string, string>;
  /** Where everything else can be read, such as `https://github.com/OWNER/NAME/blob/main`; undefined: nowhere. */
  readonly source: string | undefined;
  /** Whether the repository has it. */
  readonly isThere: (path: string) => boolean;
}

/** The text of a page, with its links as they go in the site. What stands in no page there stays without a link. @throws for one that is dead */
export function linked(page: string, text: string, { pages, files, source, isThere }: Places): string {
  const here = pages.get(page) ?? page;
  const ofLine = (line: string) =>
    line.replace(
      /(!?)\[((?:[^\][]|\[[^\]]*\])*)\]\(([^)\s]+)\)/g,
      (whole, image: string, words: string, link: string) => {
        if (/^(?:[a-z]+:|#)/.test(link)) return whole;
        const [path = '', anchor] = link.split('#');
        const target = join(dirname(page), path).replace(/\/$/, '');
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
