import { distance } from 'fastest-levenshtein';
import { stemmer } from 'stemmer';

/** The vocabulary that all commands share. Words for one command are in its `says`. */

/** Words without a meaning of their own, which are never values. */
const filler: ReadonlySet<string> = new Set(
  `a an the this that these those my our your their his her its me i we us you he she it they them one some any
  please pls plz kindly thanks thank thx asap quickly quick now just maybe again
  hi hey hello ok okay so and or but also then too
  can could would will should shall may might must do does did done is are was were be been being am has have had
  i'm im i've you're he's she's it's they're we're cant dont doesnt isnt arent wont didnt don't won't didn't can't cannot couldn't doesn't don't isn't won't aren't
  want need needs needed wants like wanna gonna let lets let's get got gets getting give gave make made
  for of to from in into on at by with about as out up contain contains containing named called under over inside within
  if whether which what who whom whose why how when where there here
  exist exists there's
  tell show say see look know list display view find print
  stuff thing things somebody someone anybody anyone people user's guys team mate boss manager colleague colleagues customer folks
  all everything everybody everyone each every
  since until really actually currently right still yet ever only today immediately urgently urgent soon sofort bereits
  de der die das den dem ein eine bitte mir mal für von zu im am ist sind und auf gerade per es noch wieder
  nehmen setzen packen machen tun
  guy whoever whomever froze frozen stuck hangs hanging hung forever alone sure
  le la les un une des du pour est por el los favor stp svp
  que quiero quiere queremos en al con por para esta este`.split(/\s+/),
);

/** Question words and words of place. They distinguish commands a little; other filler never does. */
const light: ReadonlySet<string> = new Set(
  `which what who why how when where show list find look out up off on from to into get give`.split(/\s+/),
);

/** Politeness, which may stand anywhere. */
const manners: ReadonlySet<string> = new Set(
  'please pls plz bitte stp svp kindly thanks thank thx asap quickly quick now just maybe hi hey hello ok okay mate guys folks'.split(
    ' ',
  ),
);

const numbers: ReadonlySet<string> = new Set(
  `one two three four five six seven eight nine ten eleven twelve twenty thirty fifty hundred thousand first second third
  half both several ein eins zwei drei vier fünf sechs sieben acht neun zehn`.split(/\s+/),
);

export const isNumberWord = (word: string): boolean => numbers.has(word.toLowerCase());

export const isFiller = (word: string): boolean => filler.has(word.toLowerCase());

/**
 * Synonyms in every context; the first word of a line represents the others. Synonyms for certain things only
 * ("kill a session", "kill a query") belong into the `says` of the command.
 */
const same = `
delete remove erase del rm löschen lösche lösch entfernen entferne nimm supprimer supprime retirer retire enlève borrar borra borres quitar quita eliminar elimina
create new anlegen créer crée crear crea
add hinzufügen füge aufnehmen ajouter ajoute añadir añade agregar agrega
put setze packe
install instalar installer installiere
enable activate einschalten aktivieren aktiviere activer active activar activa habilitar habilita
disable deactivate ausschalten deaktivieren deaktiviere désactiver désactive desactivar desactiva
website site webpage page url homepage domain
category categories kategorie kategorien cats
user users username account accounts person benutzer
member members
password passwort kennwort pwd pw passphrase
phone smartphone mobile
server machine host
appliance device box
session sessions connection connections sitzung sitzungen
rdp remote-desktop remotedesktop terminalserver bastion rds
mfa 2fa otp totp authenticator second-factor token
directory ad ldap domaincontroller dc activedirectory
kerberos krb
authentication auth authenticate login logon signin sign-in log-in
emergency bypass breakglass notfall notfallmodus urgence emergencia emergenza
mirror repository repo
disk space storage
update upgrade
version release versions
service services daemon daemons
down stopped dead broken offline crashed failing failed
running alive online
status state health healthy
restart reboot reload bounce relaunch neustarten
stop shutdown halt end stoppen stoppe stopp runterfahren herunterfahren abschalten beenden beende arrêter arrête detener detén
start launch starten starte hochfahren anschalten démarrer démarre
disconnect trennen trenne abmelden déconnecter déconnecte coupe couper desconectar desconecta desconectes
compile recompile build rebuild
apply activate-changes deploy publish
rule rules acl acls
ssl tls https
inspection interception decryption decrypt
log logs history events event
sql mysql mariadb
database databases db schema
privileges permissions rights grants privilege permission right
firewall-dns dnsfirewall
resolver nameserver nameservers resolv.conf
interface interfaces nic nics
package packages software
statistics stats numbers figures metrics
video videos recording recordings recorded
whitelist allowlist whitelisted white-list allow-list
blacklist blocklist denylist blacklisted black-list block-list sperrliste
block ban deny forbid prohibit disallow unallow blackhole zumachen dichtmachen sperren sperre sperr blockieren blockiere blocken verbieten verbiete bloquer bloque bloquear bloquea bloquees interdire interdis prohibir prohíbe
unblock allow permit unban reallow deblock aufmachen freigeben freischalten freischalte entsperren entsperre entsperr erlauben erlaube zulassen débloquer débloque autoriser autorise permitir permite desbloquear desbloquea
authorize authorise
blocked blocking banned denied forbidden gesperrt blockiert verboten bloqué bloquée interdit interdite bloqueado bloqueada prohibido prohibida
error errors fehler trouble problem problems issue issues
problem wrong
changes change modified
undo revert rollback
link attach
unlink detach
backup dump
hotfix patch
configuration config configs konfiguration
`
  .trim()
  .split('\n')
  .map((line) => line.split(' '));

/** Related words that are not synonyms, with their closeness. */
const nearly: readonly (readonly [string, string, number])[] = [
  ['add', 'create', 0.6],
  ['add', 'put', 0.9],
  ['put', 'move', 0.5],
  ['insert', 'add', 0.9],
  ['append', 'add', 0.9],
  ['disable', 'stop', 0.5],
  ['enable', 'start', 0.5],
  ['disconnect', 'kick', 0.9],
  ['disconnect', 'kill', 0.8],
  ['disconnect', 'close', 0.7],
  ['disconnect', 'terminate', 0.8],
  ['disconnect', 'end', 0.6],
  ['disconnect', 'cancel', 0.6],
  ['stop', 'cancel', 0.5],
  ['withdraw', 'cancel', 0.8],
  ['delete', 'drop', 0.8],
  ['delete', 'kill', 0.4],
  ['delete', 'clear', 0.5],
  ['restart', 'reconfigure', 0.4],
  ['compile', 'apply', 0.5],
  ['block', 'disable', 0.3],
  ['user', 'member', 0.7],
  ['server', 'target', 0.6],
  ['check', 'status', 0.5],
  ['blocked', 'block', 0.6],
  ['unblock', 'blocked', 0.4],
  ['category', 'categorize', 0.7],
  ['change', 'set', 0.7],
  ['change', 'edit', 0.9],
  ['change', 'update', 0.4],
  ['change', 'modify', 0.9],
  ['refresh', 'update', 0.5],
  ['install', 'update', 0.4],
  ['running', 'status', 0.4],
  ['down', 'status', 0.3],
  ['ok', 'status', 0.4],
  ['problem', 'status', 0.3],
  ['log', 'audit', 0.4],
];

/** By word and by stem, because "recording" has the stem of "record" and means something else. */
const heads = new Map<string, string>();
for (const [head = '', ...others] of same) {
  for (const word of [head, ...others]) heads.set(word, stemOf(head));
}
for (const [word, head] of [...heads]) if (!heads.has(stemOf(word))) heads.set(stemOf(word), head);
heads.set('record', 'record');
// "connect" is no session.
heads.set('connect', 'connect');

const neighbours = new Map<string, Map<string, number>>();
for (const [one, other, weight] of nearly) {
  for (const [from, to] of [
    [one, other],
    [other, one],
  ] as const) {
    // "blocked" and "block" have one term, so a word is fully itself.
    if (termOf(from) === termOf(to)) continue;
    const known = neighbours.get(termOf(from)) ?? new Map<string, number>();
    neighbours.set(termOf(from), known.set(termOf(to), weight));
  }
}

/** The compared form of a word: lower case, its stem, and the first of its synonyms. */
export function termOf(word: string): string {
  const bare = word
    .toLowerCase()
    .replace(/^re-/, '')
    .replace(/['’]s$/, '');
  const stem = stemOf(bare);
  return heads.get(bare) ?? heads.get(stem) ?? stem;
}

/**
 * The verb in a word for repetition: "enable" in "reenable". Undefined for "restart", which has a meaning of
 * its own.
 */
export function againOf(word: string): string | undefined {
  return hasMeaning(word) ? undefined : /^re-?(\p{L}{3,})$/u.exec(word.toLowerCase())?.[1];
}

/** Whether the vocabulary above has the word. */
export const hasMeaning = (word: string): boolean => heads.has(word.toLowerCase());

/** The synonyms of a term, as people write them. */
export const wordsWith = (term: string): readonly string[] =>
  same.find(([head = '']) => stemOf(head) === term) ?? [term];

function stemOf(word: string): string {
  return stemmer(word);
}

/** Related terms, with their closeness from 0 to 1. */
export const nearTo = (term: string): ReadonlyMap<string, number> => neighbours.get(term) ?? none;
const none: ReadonlyMap<string, number> = new Map();

/** The weight of a word, compared with a meaningful one. */
export const weightOf = (word: string): number => {
  if (light.has(word)) return 0.25;
  return manners.has(word.toLowerCase()) ? 0.02 : isFiller(word) ? 0.1 : 1;
};

/** The words that this may be a misspelling of, and how close they are. */
export function slipsOf(text: string, words: readonly string[]): readonly (readonly [string, number])[] {
  if (text.length < 4 || /[0-9.@_/]/.test(text)) return [];
  // The first letter is seldom wrong, and another one makes another word: "switch" is no "watch".
  const most = text.length < 7 ? 1 : 2;
  return words.flatMap((word) => {
    if (
      word.length < 4 ||
      (word[0] !== text[0] && word[1] !== text[0]) ||
      Math.abs(word.length - text.length) > most
    )
      return [];
    const far = distance(word, text);
    const isSwapped = far === 2 && [...word].toSorted().join('') === [...text].toSorted().join('');
    return far <= most || isSwapped ? [[termOf(word), 0.9 - far * 0.07] as const] : [];
  });
}
