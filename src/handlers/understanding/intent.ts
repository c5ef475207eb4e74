import type { AnyCommand } from '../command.ts';
import { isParticle, nameOf } from '../command-name.ts';
import { withoutManners } from '../language/line.ts';
import { inOneWord } from './spoken.ts';
import { looksLikeSite } from './things.ts';
import { againOf, hasMeaning, isFiller, slipsOf, termOf, wordsWith } from './vocabulary.ts';

/** Whether a line asks or orders, if it shows that. */
export type Mood = 'question' | 'order' | 'unclear';

/** The wish behind a line, decided before anything is ranked or offered. */
export interface Intent {
  readonly mood: Mood;
  /** Whether the person wants access or wants to deny it. Undefined if the line says neither, or both. */
  readonly access: Access | undefined;
  /** The line forbids something, so only lookups are offered. */
  readonly isForbidden: boolean;
  /**
   * Whether a command does the opposite of the wish. Without `values` it judges the command alone; `values` are
   * the words that it would get.
   */
  readonly opposes: (command: AnyCommand, values?: readonly string[]) => boolean;
}

type Access = 'allow' | 'deny';
/** Whether something goes on or up, or off or down. */
type Direction = 'on' | 'off';

interface Wish {
  /** Whether an entry should be in a list or not. */
  readonly listing?: Direction | undefined;
  /** Whether a thing should work or not. */
  readonly power?: Direction | undefined;
  readonly access?: Access | undefined;
  /** The wish is about the access itself: "remove the ban on example.com" removes no entry of a list. */
  readonly isLifted?: boolean;
}

interface Clause {
  readonly wish: Wish;
  readonly words: readonly string[];
  readonly terms: readonly string[];
  readonly isForbidden: boolean;
  readonly isComplaint: boolean;
  /** The clause demands a state: "nobody should reach it". */
  readonly isDemanded: boolean;
  /** "kerberos is off, switch it on": the clause is about what an earlier one names. */
  readonly isAboutSame: boolean;
  /** The clause has a verb that changes something. */
  readonly does: boolean;
}

export function intentOf(line: string): Intent {
  const said = inOneWord(withoutManners(line));
  const isAsked = /\?\s*$/.test(line);
  const clauses = clausesIn(said).map(readClause);
  const isForbidden = clauses.some((clause) => clause.isForbidden);
  const typedMood = moodOf(said, isAsked);
  const isDemanded = clauses.some(
    ({ isDemanded, wish }) => isDemanded && (wish.listing ?? wish.power ?? wish.access) !== undefined,
  );
  // "example.com sperren": the verb may stand anywhere.
  const isTold = clauses.some(({ does }) => does);
  const isOrder =
    (isDemanded || (isTold && typedMood === 'unclear')) && !isAsked && !interrogative.test(said);
  const mood = isForbidden ? 'question' : isOrder ? 'order' : typedMood;
  const accesses = new Set(
    clauses.flatMap(({ wish, isComplaint }) =>
      mood !== 'question' || isComplaint ? (wish.access ?? []) : [],
    ),
  );
  const [access] = accesses;
  return {
    mood,
    isForbidden,
    access: accesses.size === 1 ? access : undefined,
    opposes: (command, values = []) => {
      const { does, named: nouns, runs } = doingOf(command);
      const isAboutSite = values.some(looksLikeSite);
      const about = clauses.filter(
        (clause, index) =>
          speaksOf(clause, nouns, values) ||
          (clause.isAboutSame && clauses.slice(0, index).some((one) => speaksOf(one, nouns, values))),
      );
      // A question asks for no access request.
      if (mood === 'question' && access === undefined && does.access !== undefined) return true;
      // Access is requested for sites only.
      if (command.kind === 'info' && does.access !== undefined && values.length > 0 && !isAboutSite)
        return true;
      if (isForbidden && acts(command)) return true;
      if (command.effect !== 'read' && clauses.some((clause) => stops(clause, runs))) return true;
      const verdictsOf = (wishes: readonly Wish[]) =>
        wishes.flatMap((wish) => isOpposite(wish, does, isAboutSite) ?? []);
      const named = verdictsOf(about.map(({ wish }) => wish));
      // "turn off authentication" is about something else; wishes about access need no name.
      // "kerberos is off, switch it on" never means to switch anything off.
      const verdicts =
        named.length > 0
          ? named
          : verdictsOf(
              clauses.map(({ wish, isAboutSame }) => (isAboutSame ? wish : { access: wish.access })),
            );
      // With two sites, a request for both would include the one to block.
      return does.access === undefined
        ? verdicts.length > 0 && verdicts.every((isOne) => isOne)
        : verdicts.some((isOne) => isOne);
    },
  };
}

/** Whether a clause names the command's subject: its area, its noun, or one of the values. */
function speaksOf({ words, terms }: Clause, named: ReadonlySet<string>, values: readonly string[]): boolean {
  return (
    values.some((value) => words.includes(value.toLowerCase()) || words.includes(quotedWord(value))) ||
    terms.some((term) => named.has(term))
  );
}

/** "stop the sync", "stop the mirror" */
const stops = ({ wish, terms }: Clause, runs: readonly string[]): boolean =>
  wish.power === 'off' && runs.some((term) => terms.includes(term));

/** Undefined if a wish does not decide it. */
function isOpposite(wish: Wish, does: Wish, isAboutSite: boolean): boolean | undefined {
  if (wish.access !== undefined && does.access !== undefined) return wish.access !== does.access;
  // "stop example.com" ends something active: the same verb switches a command that is no list.
  if (wish.power !== undefined && does.power !== undefined && does.listing === undefined)
    return wish.power !== does.power;
  const direction = does.listing ?? does.power ?? directionOf(does.access);
  const wanted = wantedDirection(wish, isAboutSite);
  return direction === undefined || wanted === undefined ? undefined : wanted !== direction;
}

/**
 * One list blocks a site that is added to it, another allows it. So for a site, only its place in a list shows
 * which command is meant. Blocking a site without naming a list adds it to one.
 */
function wantedDirection(
  { listing, power, access, isLifted }: Wish,
  isAboutSite: boolean,
): Direction | undefined {
  if (!isAboutSite) return listing ?? power ?? directionOf(access);
  if (listing !== undefined && !isLifted) return listing;
  // "remove the ban on example.com": where it is banned, it is an entry.
  if (isLifted && access === 'allow') return 'off';
  return access === 'deny' || (access === undefined && power === 'off') ? 'on' : undefined;
}

const directionOf = (access: Access | undefined): Direction | undefined =>
  access && (access === 'allow' ? 'on' : 'off');

/** Whether a command changes something, or withdraws a request. */
export const acts = (command: AnyCommand): boolean =>
  command.effect !== 'read' ||
  nameOf(command)
    .split(' ')
    .some((word) => meaningOf(word)?.reverses === true);

interface Doing {
  /** By the last word of its name with a wish: `rdp policy link member` links. */
  readonly does: Wish;
  readonly named: ReadonlySet<string>;
  /** What it starts, where no word of it says whether something goes on or off: the mirror and its sync, of `mirror sync`. */
  readonly runs: readonly string[];
}

const startsAgain = new Set(['restart', 'reconfigure'].map(termOf));

const doings = new WeakMap<AnyCommand, Doing>();

function doingOf(command: AnyCommand): Doing {
  const known = doings.get(command);
  if (known !== undefined) return known;
  // `emergency confirm over` says that it is off.
  const words = nameOf(command)
    .replace(/ over$/, ' end')
    .split(' ');
  const switches = (word: string) => (meaningOf(word)?.listing ?? meaningOf(word)?.power) !== undefined;
  const verb = words.findLast((word) => switches(word) || meaningOf(word)?.access !== undefined);
  const { listing, power, access } = (verb === undefined ? undefined : meaningOf(verb)) ?? {};
  const named = new Set(words.filter((word) => !switches(word)).map(termOf));
  const last = words.at(-1) ?? '';
  // "stop the dns server" may mean a restart of it.
  const isAll = Object.keys(command.args).length === 0 && !startsAgain.has(termOf(last));
  const runs = verb !== undefined ? [] : (isAll ? words : [last]).map(termOf);
  const doing = { does: { listing, power, access }, named, runs };
  doings.set(command, doing);
  return doing;
}

/** The wish that a word expresses. */
interface Meaning extends Wish {
  /** A list that allows or blocks sites. */
  readonly isList?: true;
  /** An access to a site, without a wish of its own: "give access", "kill access". */
  readonly isWay?: true;
  /** Reverses the words behind it: "lift the ban", "never block". */
  readonly reverses?: true;
}

/** By the first word of each group of synonyms (`vocabulary.ts`). */
const meanings: readonly (readonly [Meaning, string])[] = [
  [
    { listing: 'on' },
    'add put insert append create include link grant assign give install restore join enroll',
  ],
  [{ listing: 'off' }, 'delete drop clear purge unlink revoke uninstall take discard'],
  [{ power: 'on' }, 'enable start connect reconnect resume exempt extend prolong'],
  [
    { power: 'off' },
    'disable stop disconnect kick kill terminate end logoff logout suspend pause quit throw boot cease',
  ],
  [{ access: 'allow' }, 'unblock unlock authorize reopen'],
  [{ access: 'deny' }, 'block prohibit prevent bar reject refuse restrict close shut lock cut withdraw gone'],
  [
    { access: 'allow', isWay: true },
    'access open reach visit let surf browse through pass reachable accessible available ask request',
  ],
  [{ access: 'allow', isList: true }, 'whitelist exception exemption ausnahme'],
  [{ access: 'deny', isList: true }, 'blacklist'],
  [
    { reverses: true },
    `undo lift cancel no not cannot dont don't can't cant won't never nobody noone none nicht kein keine keinen niemand nie pas
    personne nunca nadie`,
  ],
];

const byTerm = new Map(
  meanings.flatMap(([meaning, words]) => words.split(/\s+/).map((word) => [termOf(word), meaning] as const)),
);

/** Also reads repetition ("reenable"), reversal ("undelete") and typing mistakes ("blcok", "reenabel"). */
export function meaningOf(word: string): Meaning | undefined {
  const known = byTerm.get(termOf(word));
  if (known !== undefined || isFiller(word) || !/^\p{L}[\p{L}'-]{4,}$/u.test(word)) return known;
  const again = againOf(word);
  const repeated = again === undefined ? undefined : byTerm.get(termOf(again));
  if (repeated !== undefined) return repeated;
  const undone = /^un-?(\p{L}{4,})$/u.exec(word)?.[1];
  const opposite = undone === undefined ? undefined : byTerm.get(termOf(undone));
  if (opposite !== undefined) return inverse(opposite);
  // A known word with another meaning is no typing mistake.
  if (hasMeaning(word)) return undefined;
  const [slip] = [word, ...(again === undefined ? [] : [again])].flatMap((one) => slipsOf(one, verbs));
  return slip && byTerm.get(slip[0]);
}

/** All synonyms that are long enough to be mistyped. */
const verbs = [...byTerm.keys()].flatMap(wordsWith).filter((word) => word.length > 4);

const inverse = ({ listing, power, access }: Meaning): Meaning => ({
  listing: listing && other(listing),
  power: power && other(power),
  access: access && (access === 'allow' ? 'deny' : 'allow'),
});
const other = (direction: Direction): Direction => (direction === 'on' ? 'off' : 'on');

/** A quoted name as one word without a meaning, which marks the end of no clause: "Legacy access" asks for no access. */
const quotedWord = (name: string): string => `_${name.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '_')}`;

const clausesIn = (line: string): readonly string[] =>
  line
    .toLowerCase()
    .replace(/"([^"]*)"/g, (_, name: string) => quotedWord(name))
    .split(/[,;.!?:] | (?:and|but|then|so|because|und|aber|denn|et|mais|y|pero) /)
    .map((clause) => clause.trim())
    .filter((clause) => clause !== '');

/** Demands a state, rather than reporting it. */
const demands =
  /\b(?:should|shall|must|ought|(?:need|ha)(?:s|ve|ed)? to be|needs?|wants?|make sure|has to|have to|may not|gehört|gehören|muss|müssen|soll|sollte|sollen|doit|debe)\b/;

/** Needing a site means wanting access to it. */
const needs = /\b(?:needs?|wants?|requires?|brauch(?:e|en|t)|besoin|necesit(?:o|a|amos))\b(?! to\b)/;

/** Reports that something does not work, which is no order. */
const complains =
  /\b(?:can ?not|can['’]?t|couldn['’]?t|could not|unable|won['’]?t|will not|does ?n['’]?t|does not|is ?n['’]?t|is not|fails?|nobody can|no ?one can|not able|kann nicht|geht nicht|ne peut pas|no puede)\b/;

/** Names a state, unless that is demanded: "example.com is blocked". */
const participle =
  /^(?:blocked|banned|denied|forbidden|prohibited|restricted|rejected|refused|locked|closed|gone|allowed|permitted|unblocked|authori[sz]ed|gesperrt|blockiert|verboten|freigegeben|erlaubt|bloquée?|interdite?|autorisée?|bloquead[oa]|prohibid[oa]|permitid[oa])$/;

/** Such a noun makes it a list: "the blocked sites". */
const listNoun = /^(?:sites?|websites?|domains?|urls?|pages?|list|category|categories|hosts?)$/;

/** Words after these describe a place or a condition, and not an action. */
const leads = /^(?:that|which|who|rules?|records?|objects?|entry|entries|acl|so|when|while)$/;

function readClause(clause: string): Clause {
  const words = clause
    .split(/[\s()'"!?]+/)
    .map((word) => word.replace(/[.,;:]$/, ''))
    .filter((word) => word !== '');
  const isDemanded = demands.test(clause) || /^(?:please |pls )?(?:get|keep) /.test(clause);
  const isComplaint = !isDemanded && complains.test(clause);
  const terms = words.map(termOf);
  const isAboutSame = words.some((word) => /^(?:it|them|that|es|sie|le|la|lo)$/.test(word));
  const common = {
    words,
    terms,
    isAboutSame,
    isDemanded,
    isForbidden: false,
    isComplaint: false,
    does: false,
  };
  const read = words.map((word, index): Meaning | undefined => {
    // A shell command is an order only at the beginning of a line.
    if (index > 0 && /^(?:rm|del)$/.test(word)) return undefined;
    if (!participle.test(word)) return meaningOf(word);
    const meaning = meaningOf(word);
    if (listNoun.test(words[index + 1] ?? '') && words[index + 1] !== undefined && !isDemanded)
      return meaning && { access: meaning.access, isList: true };
    return isDemanded ? meaning : undefined;
  });
  const isState =
    !isDemanded && words.some((word, index) => participle.test(word) && read[index] === undefined);
  // "we get access denied on it" mentions access, but orders nothing.
  const ordersNothing = read.every((meaning) => meaning === undefined || meaning.isWay === true);
  // "who blocked it" asks; "why is it blocked" complains.
  const isAnswered = interrogative.test(clause) && !/^(?:why|how come|warum|wieso|pourquoi)\b/.test(clause);
  if (isComplaint || (isState && ordersNothing)) {
    const denied = words.find((word) => participle.test(word));
    const isKept = denied === undefined || meaningOf(denied)?.access === 'deny';
    const isWay = denied !== undefined || read.some((meaning) => meaning?.isWay === true);
    return isKept && isWay && !isAnswered
      ? { ...common, isComplaint: true, wish: { access: 'allow' } }
      : { ...common, wish: {} };
  }
  const at = (fits: (meaning: Meaning) => boolean) => read.findIndex((one) => one !== undefined && fits(one));
  const switching = at(({ listing, power }) => (listing ?? power) !== undefined);
  const strong = at((one) => one.access !== undefined && !one.isWay && !one.isList);
  const list = at(({ isList }) => isList === true);
  const way = at(({ isWay }) => isWay === true);
  const accessAt = [strong, list, way].find((index) => index !== -1) ?? -1;
  // "allow nobody", "trenne sie nicht": some reversals follow the verb.
  const reversals = (before: number) =>
    read.filter(
      (meaning, index) => meaning?.reverses === true && (index < before || noOne.test(words[index] ?? '')),
    ).length;
  const isSwitched =
    switching !== -1 && (accessAt === -1 || switching < accessAt || read[accessAt]?.isList === true);
  const isOff = isSwitched && (read[switching]?.listing ?? read[switching]?.power) === 'off';
  const isObject =
    isSwitched &&
    accessAt > switching &&
    read[accessAt]?.isList !== true &&
    !words
      .slice(switching + 1, accessAt)
      .some(
        (word, index) => leads.test(word) || (isParticle(word) && !isGerund(words, switching + 2 + index)),
      );
  const isTurned = (before: number) => reversals(before) % 2 === 1;
  const access = accessOf() ?? (switching === -1 && needs.test(clause) ? 'allow' : undefined);
  const { listing, power } = switching === -1 ? standing() : placed(read[switching] ?? {});
  const isNot = switching !== -1 && isTurned(switching);
  // "Notfallmodus an!"
  const isPut =
    switching === -1 &&
    power !== undefined &&
    /^(?:on|off|an|ein|aus)$/.test(words.at(-1) ?? '') &&
    !/^(?:hold|hang|come|go|carry)$/.test(words[0] ?? '');
  return {
    ...common,
    does:
      isPut || [switching, strong].some((index) => index !== -1 && !/(?:s|ed|ing)$/.test(words[index] ?? '')),
    // "do not delete it" asks for nothing that could run; "do not decrypt it" asks for an exception.
    isForbidden:
      leavesAlone.test(clause) ||
      (access === undefined && (isNot ? isImperative(clause) : forbidsOrder(clause))),
    wish: {
      access,
      listing: listing && (isNot ? other(listing) : listing),
      isLifted: isObject,
      power: power && (isNot ? other(power) : power),
    },
  };

  /** "throw it out of the list": a thing taken from somewhere is listed there. */
  function placed({ listing, power }: Wish): Wish {
    const from = words.indexOf('from', switching);
    return power !== 'off' || from === -1 || isGerund(words, from + 1)
      ? { listing, power }
      : { listing: 'off' };
  }

  function accessOf(): Wish['access'] {
    const meaning = read[accessAt];
    if (meaning?.access === undefined) return undefined;
    // The clause reports the place of a site, without a wish.
    // "it belongs on the blacklist" wants it there.
    const isWantedThere =
      isDemanded &&
      words
        .slice(Math.max(0, accessAt - 2), accessAt)
        .some((word) => /^(?:on|onto|in|into|to|auf|sur|en)$/.test(word));
    const isTold =
      meaning.isList === true &&
      !isWantedThere &&
      !isSwitched &&
      /^(?:the|on|in|our|a|der|die|la|le)$/.test(words[accessAt - 1] ?? '');
    if (isTold) return undefined;
    const isFlipped = isTurned(accessAt) !== isOff;
    return isFlipped ? (meaning.access === 'allow' ? 'deny' : 'allow') : meaning.access;
  }

  function standing(): Wish {
    // "AD is down" reports a state.
    const isTold = words.some((word) =>
      /^(?:is|are|was|were|went|goes|seems|looks|ist|sind|est|está)$/.test(word),
    );
    if (isTold || switching !== -1 || accessAt !== -1 || words.length < 2) return {};
    if (/^(?:please )?keep /.test(clause)) return { power: 'on' };
    const isOff =
      /^(?:no more |(?:do not|don['’]?t|no longer) use )/.test(clause) ||
      words.some((word) => /^(?:off|aus|down)$/.test(word));
    if (isOff) return { power: 'off' };
    return words.includes('up') || /^(?:on|an|ein)$/.test(words.at(-1) ?? '') ? { power: 'on' } : {};
  }
}

const noOne = /^(?:nobody|noone|none|niemand|personne|nadie|nicht|kein|keine|keinen|pas)$/;

/** "from opening it", but not "from gambling". */
const isGerund = (words: readonly string[], index: number): boolean =>
  /ing$/.test(words[index] ?? '') && words[index + 1] !== undefined;

const asks =
  /^(?:(?:under|in|on|at|to|for|from|by|with|since|until|auf|unter|von|zu|seit) (?:which|what|whom|whose|when|wann|welche[mnrs]?|wem|wen)|give me|let me (?:see|know)|i (?:want|need) to (?:see|know)|is|are|was|were|am|do|does|did|can (?!you\b|u\b)|has|have|who|whom|whose|what|whats|what's|which|why|how|when|where|wheres|where's|any|anyone|check|show|list|display|view|see|find|search|look|lookup|tell|count|get|status|test|verify|explain|wer|was|wie|warum|wo|welche)\b/i;
const orders =
  /^(?:keep|cancel|open (?:up|the|everything|it|all|internet)|exempt|bypass|join|leave|watch|exclude|decrypt|renew|register|publish|assign|authorize|withdraw|save|export|import|restore|re-?enable|rejoin|add|put|insert|append|create|make|new|delete|remove|rm|del|drop|erase|clear|purge|flush|move|change|set|edit|rename|modify|update|upgrade|install|uninstall|enable|disable|activate|deactivate|turn|switch|start|stop|restart|reboot|reload|reset|unlock|lock|block|unblock|allow|deny|permit|ban|whitelist|blacklist|kick|kill|disconnect|connect|reconnect|terminate|close|end|log ?off|logout|throw|give|grant|revoke|take|link|unlink|attach|detach|compile|recompile|build|rebuild|apply|deploy|refresh|sync|run|trigger|bring|shut|force|let|undo|rollback|revert|upload|backup|back up|extend|prolong|reconfigure|sperre|entsperre|freigeben|freischalten)\b/i;

/** "eth1.31 is down" and "bob can't log in" need a diagnosis before a change. */
const symptom =
  /^(?:[\w.-]+ ){1,3}(?:is|are|seems|looks) (?:\w+ )?(?:down|offline|unreachable|slow|blocked|denied|forbidden)(?: for [\w.-]+)?$|^[\w-]+\.[\w.-]+ (?:is |was |got |says )?(?:blocked|denied|forbidden)\b|\b(?:nothing happens|no effect|cant|can['’]t|cannot|can not|unable to|does not|won['’]t)\b/i;

const forbids =
  /^(?:please |no(?:pe)? (?=do |don|never))?(?:do not|don['’]?t|never|no more|nobody(?! (?:is|was|can|could|should|may|must|has|will|wants|needs))|hands off|ne|no)\b/i;

/** "leave session 7 alone" */
const leavesAlone = /^(?:please )?(?:leave|let) .*\b(?:alone|be|as (?:it|they) (?:is|are)|in peace)$/i;

const isImperative = (clause: string): boolean => forbids.test(clause) || /\b(?:nicht|pas)\b/.test(clause);

function forbidsOrder(clause: string): boolean {
  const order = clause.replace(forbids, '').trim();
  return forbids.test(clause) && orders.test(order) && !/^(?:de|en)crypt\b/.test(order);
}

/** A bare "no" at the beginning. It answers or negates; "no more" orders. */
export const negation = /^(?:no|not|never|nein|nicht|keine?[nr]?|aucune?)(?: (?!more\b|longer\b)|$)/i;

/** Begins a question, and no statement. */
const interrogative =
  /^(?:wurde|wird|ist|sind|est-ce|is|are|was|were|does|did|has|who|whom|whose|what|which|why|how|when|where|should|must|shall|wer|wie|warum|wo|welche)\b/i;

/** These words are always orders: "acl object delete 3". */
const ordersAnywhere =
  /\b(?:delete|remove|disable|enable|disconnect|create|restart|unlink|revoke|kick|kill|unblock|rename)\b/i;

export function moodOf(line: string, isAsked: boolean): Mood {
  const moods = line.split(/[,;.!] /).map((clause) => moodIn(clause.trim()));
  const [first] = moods;
  if (first !== undefined && first !== 'unclear') return first;
  // "AD is back, stop the emergency": the wish may come last.
  const later = moods.find((mood) => mood !== 'unclear');
  return (
    later ?? (isAsked || symptom.test(line) ? 'question' : ordersAnywhere.test(line) ? 'order' : 'unclear')
  );
}

function moodIn(line: string): Mood {
  // "can you …" and "i need you to …" are polite forms of an order.
  const plain = line
    .replace(/^.*\b(?:wants? to know|like to know|wonder(?:s|ing)?)\b(?: if| whether)? ?/i, 'which ')
    .replace(
      /^(?:(?:i|we) (?:want|need|would like|have)(?: you)? to |need to |want to |how (?:do|can) (?:i|we) |pls |please )/i,
      '',
    );
  // "do not inspect" orders, and "do people …" asks.
  if (forbids.test(plain)) return 'order';
  if (asks.test(plain)) return 'question';
  if (orders.test(plain) || doesSomething(plain.split(' ', 1)[0] ?? '')) return 'order';
  return 'unclear';
}

function doesSomething(word: string): boolean {
  if (participle.test(word.toLowerCase())) return false;
  const { listing, power, access, isWay } = meaningOf(word.toLowerCase()) ?? {};
  return !isWay && (listing ?? power ?? access) !== undefined;
}
