import { Misfit } from '../reading/bounds.ts';
import { type ReplyReader, type Report, tellingReport } from '../reading/reply-reader.ts';
import { shownText } from '../reading/said.ts';
import { type Shape, text } from '../reading/shape.ts';

/** The keys of every section by its name; keys before any section are under ''. */
export type IniSections = Readonly<Record<string, Readonly<Record<string, string>>>>;

/**
 * INI content. `;` and `#` begin a comment line, quotes around a value are dropped, and the last of equal keys
 * in a section counts, as usual in INI. Other lines make it unreadable.
 */
export const ini: Shape<IniSections> = {
  read: (value) => parse(text.read(value)),
  wire: { type: 'string', description: 'INI content: `[section]` and `key=value` in lines.' },
};

/** @param areNamed whether a single section keeps its name, because it belongs to a list of services */
const inIni = (areNamed: boolean): ReplyReader<Report> => ({
  ...tellingReport,
  read(answer) {
    const told = tellingReport.read(answer);
    const sections = iniIn(answer.info);
    return sections === undefined
      ? told
      : { info: '', fields: { ...flatSections(sections, areNamed), ...told.fields } };
  },
});

/** The status of a service. Some appliances send INI content in Info (field notes). */
export const serviceStatus = inIni(false);

/** The status of all services, one for each section. */
export const serviceList = inIni(true);

function iniIn(content: string): IniSections | undefined {
  try {
    return /=/.test(content) ? parse(content) : undefined;
  } catch {
    // No INI content, so the text is words.
    return undefined;
  }
}

/** `section.key`, as reports write it; for a single section, its keys. */
function flatSections(sections: IniSections, areNamed: boolean): Record<string, string> {
  const all = Object.entries(sections);
  return Object.fromEntries(
    all.flatMap(([section, keys]) =>
      Object.entries(keys).map(([key, value]) => [
        all.length === 1 && !areNamed ? key : `${section}.${key}`,
        shownText(key, value),
      ]),
    ),
  );
}

function parse(content: string): IniSections {
  // Maps, because a key may be called `__proto__`.
  const sections = new Map<string, Map<string, string>>();
  let name = '';
  for (const [index, whole] of content.split(/\r\n|\r|\n/).entries()) {
    const line = whole.trim();
    if (line === '' || /^[;#]/.test(line)) continue;
    const header = /^\[(.*)\]$/.exec(line)?.[1];
    if (header !== undefined) {
      name = header.trim();
      sections.set(name, sections.get(name) ?? new Map());
      continue;
    }
    const equals = line.indexOf('=');
    if (equals < 1) throw new Misfit('', `is not valid INI content at line ${index + 1}`);
    const keys = sections.get(name) ?? new Map<string, string>();
    keys.set(line.slice(0, equals).trim(), unquoted(line.slice(equals + 1).trim()));
    sections.set(name, keys);
  }
  return Object.fromEntries(Array.from(sections, ([section, keys]) => [section, Object.fromEntries(keys)]));
}

function unquoted(value: string): string {
  return /^(["'])(.*)\1$/.exec(value)?.[2] ?? value;
}
