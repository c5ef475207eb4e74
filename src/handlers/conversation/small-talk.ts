/**
 * What people say to each other and to a bot, which asks for nothing: the line of the command that answers it. Most of it is in no language
 * that commands are written in, so it is known by its words, and only where a line has no others.
 */

const greetings = `hi hello hey heya hiya howdy hallo hullo moin servus grüezi greetings morning yo hola bonjour salut bonsoir ciao salve
  buongiorno buonasera olá ola oi hej hei hejsan ahoj cześć czesc dzień dobry namaste merhaba privet привет guten goedemorgen goedemiddag
  morgen tag abend grüß grüss gott buenos buenas días dias tardes bom dia good afternoon evening day test testing ping`;
const gratitude = `thanks thank thx thanx tnx ty tysm cheers danke dankeschön dankeschoen dank vielen herzlichen besten merci beaucoup gracias
  muchas grazie mille obrigado obrigada bedankt dankjewel tack tak takk kiitos dzięki dziękuję appreciated`;
const farewells = `bye goodbye cya tschüss tschuess tschau adieu au revoir adiós adios arrivederci night nite nacht gute schönen feierabend
  buenas noches bonne nuit wiedersehen auf see you later tomorrow soon weekend`;
const remarks = `ok okay okey okidoki k kk alright cool nice great awesome perfect super excellent wow fine good prima gut toll klasse genial
  lol lmao rofl haha hehe hihi hmm hm oh ah aha well done job work one love it amazing brilliant sweet neat interesting funny`;
/** What stands beside those and says nothing by itself. */
const beside = `bot appliance-bot appliance there all everyone everybody team folks guys mate friend you so very much again for the your help
  that this is works worked it now a lot to and ! you're the best i we was were have has had got am are really appreciate please`;

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/));
const kinds = [
  { line: 'thanks', words: setOf(gratitude) },
  { line: 'hello', words: setOf(greetings) },
  { line: 'bye', words: new Set([...setOf(farewells), ...setOf(remarks)]) },
] as const;
const known: ReadonlySet<string> = new Set([...kinds.flatMap(({ words }) => [...words]), ...setOf(beside)]);

/** `haaaha`, `:wave:`, `👍`, `:)`, `1 2 3`: a sound, a sign or a count. */
const signs =
  /^(?:(?:a?(?:ha){2,}h?|he(?:he)+|lo+l|:[\w+-]+:(?::skin-tone-\d:)?|[:;=8x]-?[()dpo3*]+|<3|\d|(?:\p{Extended_Pictographic}|\p{Emoji_Modifier}|\u200d|\ufe0f)+)[.!?]*)$/iu;
/** A word that is typed in one of these alone is no remark: "all", "1", "help". */
const tells = (word: string): boolean =>
  kinds.some(({ words }) => words.has(word)) || (signs.test(word) && !/^\d$/.test(word));

/** Undefined where a line says anything else. */
export function smallTalk(line: string): string | undefined {
  if (line.length > 80) return undefined;
  const words = line
    .toLowerCase()
    .split(/[\s,]+/)
    .map((word) =>
      signs.test(word) ? word : word.replace(/^[.!?¡¿"'()*~-]+|(?<![.!?"'()*~-])[.!?"'()*~-]+$/g, ''),
    )
    .filter((word) => word !== '');
  if (/^(?:are|r) (?:you|u) (?:there|alive|up|awake|ok)$/.test(words.join(' '))) return 'hello';
  if (!words.some(tells) || !words.every((word) => known.has(word) || signs.test(word))) return undefined;
  // "good" begins a greeting and a farewell: the last word that says which decides.
  if (words.some((word) => kinds[0].words.has(word))) return 'thanks';
  if (words.some((word) => farewellWords.has(word))) return 'bye';
  return words.some((word) => kinds[1].words.has(word) && word !== 'good') ? 'hello' : 'bye';
}

const farewellWords = new Set([
  'bye',
  'night',
  'nite',
  'nacht',
  'tomorrow',
  'later',
  'weekend',
  'revoir',
  'noches',
  'nuit',
  'wiedersehen',
]);
